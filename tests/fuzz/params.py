"""Fuzzes the reader of .prm files and evalb's command line."""

from __future__ import annotations

import pickle
from contextlib import suppress

from .driver import Choices, instrumented, main

with instrumented():
    from jpevalb import Params
    from jpevalb.commands import is_legacy
    from jpevalb.commands.evalb import OpenError, UsageError, parse
    from jpevalb.settings.params import atoi

PIECES = (
    *(b"DEBUG", b"MAX_ERROR", b"CUTOFF_LEN", b"LABELED", b"DELETE_LABEL", b"DELETE_LABEL_FOR_LENGTH"),
    *(b"EQ_LABEL", b"EQ_WORD", b"QUOTE_LABEL", b" ", b"\t", b"\n", b"\n", b"\r\n", b"\0", b"#", b"A", b"B"),
    *(b"-1", b"99999999999999999999999", b"\xff", b"\xe2\x80\xa8", b"\x85", b"=", b"0", b"\xef\xbb\xbf"),
)
WORDS = (
    *("-", "--", "-evalb", "--evalb", "-p", "-c", "-e", "-K", "-d", "-D", "-h", "-L", "-l", "-V"),
    *("-X", "", "="),
    *("--dialect", "--dialect=spmrl", "--dialect=", "--dialect=evalb", "--jobs", "--jobs=2", "--jobs=\u0663"),
    *("--jobs=0", "--jobs=-1", "--jobs=99999", "COLLINS", "COLLINS.prm", "gold", "sys", "x.prm"),
    *("-x", "-\udcff"),
    *("\udcff", "--help", "--version", "-pnk", "-p nk", "-c99999999999", "-e-1", "-c\u0663", "--="),
    *("-é", "/"),
    *("-evalb=COLLINS", "/dev/null", ".", "a\0b"),
)


def target(choices: Choices) -> None:
    data = choices.raw(200) if choices.flag(4) else b"".join(choices.several(PIECES, 40))
    params = Params().parse(data)
    assert eval(repr(params), {"Params": Params}) == params
    assert pickle.loads(pickle.dumps(params)) == params
    assert hash(params) == hash(params.replace())
    for message in params.messages:
        assert "\n" not in message
    # Lists grow: a file read twice has everything twice.
    twice = params.parse(data)
    assert twice.delete_labels == params.delete_labels * 2
    assert twice.cutoff == params.cutoff
    assert -(2**31) <= atoi(data.decode("latin-1")) < 2**31
    arguments = choices.several(WORDS, 7)
    program = choices.pick(("jpevalb", "evalb", "evalb_spmrl", "", "/", "evalb.exe", "\udcff"))
    is_legacy(program, arguments)
    with suppress(UsageError, OpenError):
        parse(program, arguments)


if __name__ == "__main__":
    main(target)
