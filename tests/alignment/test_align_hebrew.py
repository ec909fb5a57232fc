"""Hebrew and Korean words cut in other ways on both sides: no word boundary is lost or moved."""

from __future__ import annotations

from jpevalb import align

# A word is gold/system, its tokens joined by +.  Covert articles (ב ה בית ~ בבית), possessive suffixes (ספרים
# של הוא ~ ספריו), prefixes, objects and construct states.
SENTENCES = """
ה+ילד/הילד קרא/קרא את/את ספרים+של+הוא/ספריו ב+ה+בית/בבית ./.
ה+מורה/ה+מורה סיפרה/סיפרה ל+ה+תלמידים/לתלמידים על/על ילדותה/ילדות+של+היא ./.
ראש/ראש ה+ממשלה/הממשלה נפגש/נפגש עם/עם שריו/שרים+של+הוא ב+ירושלים/בירושלים ./.
כש+ה+ילדים/כשהילדים חזרו/חזרו מ+ה+גן/מהגן ,/, אמם/אם+של+הם חיכתה/חיכתה ליד/ליד ה+דלת/הדלת ./.
ו+ה+אנשים/והאנשים ש+עבדו/שעבדו ב+ה+שדה/בשדה שרו/שרו ./.
בית/בית ה+ספר/הספר נמצא/נמצא ב+מרכז/במרכז ה+עיר/העיר ./.
דני/דני שכח/שכח את/את מפתחות+של+הוא/מפתחותיו ב+ה+משרד/במשרד ./.
ה+ספר/הספר ש+קראתי/שקראתי אתמול/אתמול היה/היה מעניין/מעניין מאוד/מאוד ./.
מנהל/מנהל בית/בית ה+חולים/החולים דיבר/דיבר עם/עם רופאיו/רופאים+של+הוא ./.
ל+ה+ילדה/לילדה יש/יש כלב/כלב קטן/קטן ו+חתול/וחתול גדול/גדול ./.
הם/הם ראו/ראו אותו/את+הוא ב+ה+רחוב/ברחוב ./.
אחות+של+אני/אחותי גרה/גרה ב+דירה/בדירה ישנה/ישנה ב+חיפה/בחיפה ./.
ה+חברה/החברה מכרה/מכרה את/את מוצריה/מוצרים+של+היא ל+ה+לקוחות/ללקוחות החדשים/ה+חדשים ./.
כוס/כוס ה+תה/התה נפלה/נפלה מ+ה+שולחן/מהשולחן ./.
ב+ה+ערב/בערב ישבנו/ישבנו ב+חצר/בחצר ביתנו/בית+של+אנחנו ./.
עובדי/עובדי ה+מפעל/המפעל דרשו/דרשו ש+שכרם/ששכר+של+הם יעלה/יעלה ./.
ו+כאשר/וכאשר הגיע/הגיע ה+חורף/החורף ,/, ירד/ירד שלג/שלג ב+ה+הרים/בהרים ./.
היא/היא כתבה/כתבה מכתב/מכתב ל+אביה/לאב+של+היא ./.
שיר/שיר ה+שירים/השירים הוא/הוא ספר/ספר ב+ה+תנ"ך/בתנ"ך ./.
דודים+של+הוא/דודיו באו/באו מ+חוץ/מחוץ ל+ה+ארץ/לארץ כדי/כדי ל+בקר/לבקר אותנו/את+אנחנו ./.
"""


def wrong_boundaries(lines: list[str], lang: str) -> tuple[int, int]:
    """Return how many boundaries between words are no boundaries of units, and how many words there are."""
    wrong = count = 0
    for line in lines:
        words = [word.split("/") for word in line.split()]
        gold, system = ([token for word in words for token in word[side].split("+")] for side in (0, 1))
        (bead,) = align([gold], [system], lang=lang)
        ends = {(unit.gold_end, unit.system_end) for unit in bead.units}
        i = j = 0
        for word in words:
            i += word[0].count("+") + 1
            j += word[1].count("+") + 1
            wrong += (i, j) not in ends
            count += 1
    return wrong, count


def exchanged(lines: list[str]) -> list[str]:
    return [" ".join("/".join(word.split("/")[::-1]) for word in line.split()) for line in lines]


def test_no_word_boundary_is_wrong():
    lines = SENTENCES.strip().splitlines()
    assert len(lines) == 20
    for some in (lines, exchanged(lines)):
        wrong, count = wrong_boundaries(some, "he")
        assert count > 117
        assert wrong == 0
    assert wrong_boundaries(lines, "none")[0] > 0


KOREAN = """
비/비 가/가 늘어나/늘어나+어+ㄴ 강/강 을/을 보/보+았 다/다 ./.
그/그 는/는 서울/서울 에서/에서 태어나+어/태어나 부산/부산 에서/에서 자라+았/자랐 다/다 ./.
늘어나/늘어나+어 사람/사람+이 들/들 ./.
"""


def test_endings_join_the_word_before_them():
    lines = KOREAN.strip().splitlines()
    for some in (lines, exchanged(lines)):
        assert wrong_boundaries(some, "ko")[0] == 0
    assert wrong_boundaries(lines, "none")[0] > 0


def test_an_enclitic_does_not_join_another_sentence():
    gold, system = [["בית"], ["ילד", "בא"]], [["בית"], ["הוא", "ילד", "בא"]]
    beads = align(gold, system, lang="he")
    assert [bead.gold for bead in beads] == [(0, 1), (1, 2)]
    assert [unit.system_end for unit in beads[1].units] == [2, 3]
