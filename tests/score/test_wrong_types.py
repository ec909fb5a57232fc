"""Arguments of the wrong type: one clear message each, never an error from inside."""

from __future__ import annotations

import io

import pytest

import jpevalb
from jpevalb import InputError, SettingsError, TimingError, TreeError

TREE = "(S (A a))"
TREES = [TREE]
NO_TREE = "got an object of type {}; expected"


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: jpevalb.average(3), TreeError, NO_TREE.format("int")),
        (lambda: jpevalb.average(TREES, 3), SettingsError, "weights=3; expected one for each of 1 system"),
        (lambda: jpevalb.compare(None, [TREES, TREES]), InputError, "got the object None; expected a path"),
        (lambda: jpevalb.compare(TREES, [None, TREES]), InputError, "got the object None; expected a path"),
        (lambda: jpevalb.compare(TREES, [TREES], settings=3), SettingsError, "settings=3; expected"),
        (lambda: jpevalb.write(None, io.StringIO()), TreeError, NO_TREE.format("NoneType")),
        (lambda: jpevalb.write(TREES, 3), InputError, "got the object 3; expected a path, or a file open"),
        (
            lambda: jpevalb.write(TREES, io.StringIO(), ["x"]),
            SettingsError,
            "format=['x']; expected",
        ),
        (
            lambda: jpevalb.write(TREES, io.BytesIO(), encoding=None),
            SettingsError,
            "encoding=None; expected an encoding that Python knows, such as latin-1",
        ),
        (lambda: jpevalb.read(TREES, ["x"]), SettingsError, "format=['x']; expected one of auto"),
        (lambda: jpevalb.evaluate(TREES, TREES, settings=3), SettingsError, "settings=3; expected"),
        (lambda: jpevalb.evaluate(TREES, TREES, settings="x"), SettingsError, "settings='x'; expected"),
        (lambda: jpevalb.evaluate(TREES, TREES, prm=3), SettingsError, "prm=3; expected the name"),
        (lambda: jpevalb.evaluate(TREES, TREES, exceptions=3), SettingsError, "exceptions=3; expected"),
        (
            lambda: jpevalb.evaluate(TREES, TREES, gold_times=3, sys_times=3),
            SettingsError,
            "gold_times=3; expected the name of a file",
        ),
        (lambda: jpevalb.evaluate(TREES, TREES, encoding=3), SettingsError, "encoding=3; expected a"),
        (
            lambda: jpevalb.Settings(lang="english"),
            SettingsError,
            "unknown language 'english'; did you mean en?",
        ),
        (lambda: jpevalb.Settings(lang=3), SettingsError, "lang=3; expected one of ar, ca, de"),
        (
            lambda: jpevalb.Settings(encoding="nope"),
            SettingsError,
            "encoding='nope'; expected an enc",
        ),
        (
            lambda: jpevalb.Settings(sys_encoding="hex"),
            SettingsError,
            "sys_encoding='hex'; expected an",
        ),
        (lambda: jpevalb.Settings(unlabeled="no"), SettingsError, "unlabeled='no'; expected True or F"),
        (
            lambda: jpevalb.evaluate(TREES, TREES).report("html", worst=0),
            SettingsError,
            "worst=0; ex",
        ),
        (
            lambda: jpevalb.compare(TREES, [TREES, TREES]).report(worst="all"),
            SettingsError,
            "worst='all'",
        ),
        (lambda: jpevalb.Settings(punctuation=3), SettingsError, "punctuation=3; expected tags"),
        (
            lambda: jpevalb.discontinuous_f1(TREE, TREE, settings=3),
            SettingsError,
            "settings=3; expected",
        ),
        (
            lambda: jpevalb.struct_iou(TREE, TREE, gold_times=3, system_times=3),
            TimingError,
            "got the gold times 3; expected one (start, end) per word",
        ),
        (
            lambda: jpevalb.legacy.evaluate(TREES, ["(S (A \ud800))"]),
            InputError,
            r"system:1: '\ud800', half of a character; expected whole ones",
        ),
        (
            lambda: jpevalb.legacy.evaluate(TREES, TREES, last_line="x"),
            SettingsError,
            "last_line='x'; expected the number of a line, or -1",
        ),
    ],
)
def test_wrong_types(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
