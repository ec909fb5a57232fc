"""Fixtures of tests of reports."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.support.browser import FLAGS, Browser


def missing(what: str) -> None:
    """Skips; fails where everything is supposed to be there."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(f"the browser tests need {what}")


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        missing("selenium: pip install 'jpevalb[browser]'")
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    service = shutil.which("chromedriver")
    if browser is None or service is None:
        missing("chromium and chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(service))
    yield opened
    opened.quit()


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def browser(driver, page_folder):
    page = Browser(driver, page_folder)
    yield page
    # Whatever a test does, the page must not complain.
    assert page.errors() == []
