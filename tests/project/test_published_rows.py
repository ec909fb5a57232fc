"""The benchmark of published alignments counts every row correctly."""

from __future__ import annotations

import pytest

from tests.benchmarks.published_rows import main


@pytest.fixture
def write(tmp_path):
    def written(name: str, *lines: str) -> str:
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return str(path)

    return written


def run(capsys, *arguments: str) -> list[str]:
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_missing_data_is_reported(capsys, write):
    trees = write("trees", "(S (A a) (B b))", "(S (A c) (B d))", "(S (A e))")
    assert run(capsys, "--gold", trees) == [
        "--gold            3 of 3",
        "section 23       no data; give --section23 GOLD SYSTEM ANSWERS",
        "bugs             no data; give --bugs GOLD SYSTEM ANSWERS",
        "Korean           no data; give --korean GOLD SYSTEM ANSWERS",
    ]


def test_beads_and_units(capsys, write):
    trees = write("trees", "(S (A a))")
    gold = write("gold", "(S (A one) (B cat) (C sat))", "(S (A two) (B dogs))", "(S (A barked))")
    system = write("system", "one cat sat", "two dogs barked")
    answers = write("answers", "# sentences", "1\t1", "2\t2", "2-3\t2", "3\t")
    found = run(capsys, "--gold", trees, "--section23", gold, system, answers, "--bugs", gold, system)
    assert found[1:] == [
        "section 23        2 of 4 (aim: all)",
        "    row in line 3: 2 ~ 2",
        "    row in line 5: 3 ~ nothing",
        "bugs              1 of 2 (aim: all)",
        "    row in line 2: 2 ~ 2",
        "Korean           no data; give --korean GOLD SYSTEM ANSWERS",
    ]
    korean = write("ko", "하 ㄴ 나", "하 ㄴ"), write("ko2", "한 나", "한")
    units = write("units", "하 ㄴ\t한", "", "나\t나", "하  ㄴ\t한", "하 ㄴ\t한", "하\t한")
    assert run(capsys, "--gold", trees, "--korean", *korean, units)[3:] == [
        "Korean            3 of 5 (aim: 107)",
        "    row in line 5: 하 ㄴ ~ 한",
        "    row in line 6: 하 ~ 한",
    ]


def test_bad_requests(capsys, write):
    trees = write("trees", "(S (A a))")
    with pytest.raises(SystemExit):
        main(["--gold", trees, "--bugs", trees])
    assert "--bugs: got 1 files; expected GOLD SYSTEM" in capsys.readouterr().err
    bad = write("bad", "1\t1", "1 1")
    with pytest.raises(SystemExit, match="bad:2: got 0 TABs; expected gold, one TAB, system"):
        main(["--gold", trees, "--bugs", trees, trees, bad])
