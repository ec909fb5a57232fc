"""Chromium, driven by selenium, with what tests ask of a page."""

from __future__ import annotations

from pathlib import Path

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    # A page that still scrolls would move away under the pointer.
    "--force-prefers-reduced-motion",
    "--lang=en",
]


class Browser:
    """The driver with what the tests ask of a page."""

    def __init__(self, driver, folder: Path) -> None:
        self.driver = driver
        self._folder = folder

    def open(self, text: str, *, address: str = "", width: int = 1280, height: int = 900) -> None:
        path = self._folder / "report.html"
        path.write_text(text, encoding="utf-8")
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        self.media()
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(path.as_uri() + address)
        ready = "return document.documentElement.dataset.ready ?? null"
        self.wait(lambda: self.js(ready) == "true")

    def media(self, kind: str = "", **features: str) -> None:
        values = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": values})

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def js(self, code: str, *arguments):
        return self.driver.execute_script(code, *arguments)

    def all(self, selector: str):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str):
        return self.driver.find_element("css selector", selector)

    def click(self, selector: str) -> None:
        element = self.one(selector)
        self.js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        element.click()

    def texts(self, selector: str) -> list[str]:
        return self.js(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector
        )

    def part(self, name: str) -> str:
        """The text of a part of the list of sentences."""
        return self.one(f'[data-part="{name}"]').text

    def numbers(self) -> list[str]:
        """The numbers of the sentences that are listed."""
        return self.texts('[data-part="sents"] tbody tr:not(.blank) td:first-child')

    def address(self) -> str:
        return self.js("return decodeURIComponent(location.hash).replaceAll('+', ' ')")

    def top(self, selector: str) -> int:
        """The distance of an element from the top of the window."""
        return round(
            self.js("return document.querySelector(arguments[0]).getBoundingClientRect().top", selector)
        )

    def wait(self, condition, seconds: float = 60.0):
        from selenium.webdriver.support.ui import WebDriverWait

        # The time is for a machine that does much else; what is waited for comes at once as a rule.
        return WebDriverWait(self.driver, seconds, poll_frequency=0.03).until(lambda _: condition())

    def type(self, text: str) -> None:
        from selenium.webdriver.common.keys import Keys

        box = self.one('[data-part="query"]')
        box.send_keys(Keys.CONTROL + "a")
        box.send_keys(text)

    def select(self, part: str, value: str) -> None:
        """Choose an option of a select; a hidden or disabled one is an error."""
        self.click(f'[data-part="{part}"] option[value="{value}"]:not([disabled])')

    def hover(self, element) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        self.js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        ActionChains(self.driver).move_to_element(element).perform()

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def active(self) -> str:
        return self.js("return document.activeElement.getAttribute('aria-label')")
