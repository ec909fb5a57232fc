"""Exception lists: the shipped lists are valid, and errors in a list name the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from jpevalb.alignment.exceptions import (
    LISTS,
    exceptions_of,
    languages,
    parse_exceptions,
    read_exceptions,
)
from jpevalb.base.errors import JpevalbError, SettingsError
from jpevalb.trees.words import ENCLITICS, compared

SHIPPED = ["ar", "ca", "de", "el", "en", "es", "fr", "gl", "he", "it", "ko", "nl", "pt"]


def test_languages():
    assert languages() == SHIPPED


def test_the_english_list_is_the_published_one():
    assert exceptions_of("en") == {"''": '"', "`": "'", "``": '"', "ca": "can", "wo": "will", "n't": "not"}


@pytest.mark.parametrize("lang", SHIPPED)
def test_shipped_lists_give_a_reason_for_every_entry(lang):
    entries = [
        line
        for line in Path(LISTS, f"{lang}.tsv").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    enclitics = exceptions_of(lang).get(ENCLITICS, "").split()
    assert len(entries) == len(exceptions_of(lang).keys() - {ENCLITICS}) + len(enclitics) > 5
    for line in entries:
        token, replacement, reason = line.split("\t")
        assert token == token.strip()
        assert token != replacement
        assert replacement == " ".join(replacement.split())
        assert reason.startswith("# ")
        assert len(reason) > 5


@pytest.mark.parametrize("lang", SHIPPED)
def test_no_entry_leads_to_another(lang):
    """Replacement is not repeated, so a list must not rely on chains."""
    found = exceptions_of(lang)
    for token, replacement in found.items():
        assert replacement not in found or found[replacement] == replacement, token


@pytest.mark.parametrize(
    ("lang", "token", "replacement"),
    [
        ("fr", "auxquelles", "àlesquelles"),
        ("it", "sull'", "sul'"),
        ("de", "zur", "zuder"),
        ("es", "al", "ael"),
        ("pt", "àquela", "aaquela"),
        ("nl", "'t", "het"),
        ("ko", "그게", "그것이"),
        ("he", "אותו", "אתהוא"),
        ("he", "flw", "flhwa"),
        ("ca", "dels", "deels"),
        ("gl", "coas", "conas"),
        ("gl", "neste", "eneste"),
        ("el", "ΣΤΗΝ", "σετην"),
        ("ar", "عليها", "علىها"),
    ],
)
def test_some_entries(lang, token, replacement):
    assert exceptions_of(lang)[compared(token)] == compared(replacement)


def test_enclitics_of_a_list():
    assert parse_exceptions(["ㄴ\t←\t# ending", "Du\tde le", "어\t←"]) == {
        ENCLITICS: f"{compared('ㄴ')} {compared('어')}",
        "du": "dele",
    }
    with pytest.raises(JpevalbError, match="x:2: a second entry for 'a', after line 1"):
        parse_exceptions(["a\t←", "a\tb"], "x")


def test_no_list():
    assert exceptions_of("none") == {}


def test_an_unknown_language_lists_the_known_ones():
    with pytest.raises(SettingsError) as caught:
        exceptions_of("../en")
    assert str(caught.value) == (
        "lang='../en'; expected one of ar, ca, de, el, en, es, fr, gl, he, it, ko, "
        "nl, pt, none (no list); to use your own list, give exceptions='FILE'"
    )


def test_a_list_is_read_plain():
    text = ["\ufeff# x".lstrip("\ufeff"), "", "  ", "Du\tDe  LE", "ΤΟΣ\tτου ς\t# why", "x\ty\r"]
    assert parse_exceptions(text) == {"du": "dele", "τοσ": "τουσ", "x": "y"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("du de le", "'du de le' without a TAB; expected token, TAB, replacement"),
        ("\tde le", "no token before the TAB; expected token, TAB, replacement"),
        ("d u\tde le", "got blanks in the token 'd u'; expected a single token before the TAB"),
        ("du\t", "no replacement for 'du'; expected one after the TAB"),
        ("du\t# why", "no replacement for 'du'; expected one after the TAB"),
        ("du\tde le\twhy", "'why' after the replacement; expected '# reason' or nothing"),
        ("du\tde\t# a\tb", "'# a' after the replacement; expected '# reason' or nothing"),
        ("du\tde\t\twhy", "'why' after the replacement; expected '# reason' or nothing"),
        ("du\tde\t# a\t# b", "'# a' after the replacement; expected '# reason' or nothing"),
        ("AU\tx", "a second entry for 'AU', after line 2; remove one of them"),
    ],
)
def test_a_malformed_line_is_named(tmp_path, line, message):
    path = tmp_path / "mine.tsv"
    path.write_text(f"# mine\nau\tà le\n\n{line}\n", encoding="utf-8")
    with pytest.raises(JpevalbError) as caught:
        read_exceptions(path)
    assert str(caught.value) == f"{path}:4: {message}"


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(JpevalbError) as caught:
        read_exceptions(tmp_path / "no.tsv")
    assert (
        str(caught.value)
        == f"{tmp_path / 'no.tsv'}: cannot read the exception list: No such file or directory"
    )
    with pytest.raises(JpevalbError, match="cannot read the exception list"):
        read_exceptions(tmp_path)
    path = tmp_path / "latin.tsv"
    path.write_bytes(b"du\tde le\n\xe0\tx\n")
    with pytest.raises(JpevalbError) as caught:
        read_exceptions(path)
    assert str(caught.value) == f"{path}:2: byte 0xe0 is not UTF-8; save the exception list as UTF-8"


def test_a_byte_order_mark_is_not_a_token(tmp_path):
    path = tmp_path / "bom.tsv"
    path.write_bytes(b"\xef\xbb\xbfdu\tde le\r\n")
    assert read_exceptions(path) == {"du": "dele"}


def test_lists_selected_by_options(tmp_path):
    assert exceptions_of("en", {"A b": "x y"}) == {"ab": "xy"}
    path = tmp_path / "mine.tsv"
    path.write_text("a\tb\n", encoding="utf-8")
    assert exceptions_of("en", path) == {"a": "b"}
