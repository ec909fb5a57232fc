"""Sentences with trees in four languages, from small grammars, and their text as people write it.

A pattern is a tree in which ``{name}`` stands for any item of a list.  A word that begins with ``+`` is
written without a blank before it.  Chinese and Japanese have no blanks.
"""

# A pattern is a line.
# ruff: noqa: E501

from __future__ import annotations

import random
import re
from typing import NamedTuple

SENTENCES = 60
"""Number of sentences per language, all different."""


class Sentence(NamedTuple):
    """A sentence with a tree, and where its words and constituents are in the text of its language."""

    tree: str
    text: str
    words: tuple[tuple[int, int], ...]
    constituents: tuple[tuple[str, int, int], ...]
    """Label, first character and last character + 1, in preorder."""


ENGLISH = (
    (
        "(S {person} (VP {did} (PP (IN in) (NP (DT the) (NN {place})))) (. +.))",
        "(S {person} (VP (VBD did) (RB +n't) (VP {do} (NP-TMP (NN yesterday)))) (. +.))",
        "(S (ADVP (RB Yesterday)) (, +,) {she} (VP {did} (PP (IN with) {friend})) (. +.))",
        "(SQ (VBD Did) {she} (VP {do} (PP (IN in) (NP (DT the) (NN {place})))) (. +?))",
        "(S (`` “) (S {i} (VP {did})) (, +,) ('' +”) {person} (VP (VBD said)) (. +.))",
        "(S {person} (VP (VBD paid) (NP ($ $) (CD +{price})) (PP (IN for) {thing})) (. +.))",
        "(S (S {person} (VP {did})) (, +,) (CC but) (S {she} (VP (MD ca) (RB +n't) (VP {do}))) (. +.))",
        "(S {person} (PRN (-LRB- -LRB-) {friend2} (-RRB- +-RRB-)) (VP {did}) (. +.))",
        "(S {i} (VP (VBP +'ve) (VP (VBN read) (NP (NP {person} (POS +'s)) (NN {letter})))) (. +.))",
        "(S {person} (VP (VBD left) (PP (IN at) (NP (CD {hour}) (NN p.m.))) (NP-TMP (DT that) (NN day))) (. +.))",
    ),
    {
        "person": (
            "(NP (NNP Dr.) (NNP Weaver))",
            "(NP (NNP Mr.) (NNP O'Neill))",
            "(NP (NNP Anna))",
            "(NP (NNP Professor) (NNP Park))",
            "(NP (NNP J.) (NNP Baker))",
        ),
        "she": ("(NP (PRP she))", "(NP (PRP he))"),
        "i": ("(NP (PRP I))", "(NP (PRP We))"),
        "friend": ("(NP (PRP$ her) (NN brother))", "(NP (DT a) (NN friend))", "(NP (NNP Mrs.) (NNP Ito))"),
        "friend2": ("(NP (DT the) (JJ well-known) (NN singer))", "(NP (PRP$ my) (NN neighbour))"),
        "did": (
            "(VBD read) (NP (DT a) (NN book))",
            "(VBD cooked) (NP (NN dinner))",
            "(VBD repaired) (NP (DT the) (JJ broken) (NN lamp))",
        ),
        "do": ("(VB read) (NP (DT the) (NN newspaper))", "(VB sing)", "(VB open) (NP (DT the) (NN door))"),
        "thing": (
            "(NP (DT the) (NN bread))",
            "(NP (CD two) (NNS tickets))",
            "(NP (DT a) (JJ second-hand) (NN bike))",
        ),
        "place": ("kitchen", "garden", "library"),
        "letter": ("letter", "article", "novel"),
        "price": ("5.50", "1,200", "12"),
        "hour": ("8", "11"),
    },
)

KOREAN = (
    (
        "(S (NP-SBJ {who}) (VP (NP-AJT (NNG {place}) (JKB +에서)) (VP {did})) (SF +.))",
        "(S (NP-AJT (NNG 어제)) (S (NP-SBJ {who}) (VP {did})) (SF +.))",
        "(S (NP-SBJ {who}) (VP (NP-AJT (NNG {day}) (JKB +에)) (VP {did})) (SF +.))",
        "(S (NP-SBJ (NP (VP-MOD (NP-SBJ (NP 내) (JKS +가)) (VV+ETM {made})) (NP (NNG {thing}))) (JX +은)) (VP (VA {good}) (EF +다)) (SF +.))",
        "(S (NP-SBJ {who}) (VP (S-CMP (NP-SBJ {sub}) (VP {does} (EC +다고))) (VP (VV 말하) (EP +였) (EF +다))) (SF +.))",
        "(S (S (NP-SBJ (NNG {rain}) (JKS +가)) (VP (VV 오) (EC +면))) (S (NP-SBJ {who}) (VP {stays})) (SF +.))",
        "(S (NP-SBJ {who}) (VP (NP-AJT {with} (JKB +와)) (VP (ADVP (MAG {how})) (VP {did}))) (SF +.))",
        "(S (NP-SBJ {who}) (VP (VP {and} (EC +고)) (VP {did})) (SF +.))",
        "(S (NP-SBJ {who}) (VP (NP-AJT (NNG {place}) (JKB +에서)) (VP {asked})) (SF +?))",
    ),
    {
        "who": (
            "(NP (NNG 학생)) (JX +은)",
            "(NP (NNG 동생)) (JX +은)",
            "(NP (NP (NP 우리)) (NP (NNG 선생님))) (JX +은)",
            "(NP (NNG 친구)) (JX +는)",
            "(NP (NNG 아이) (XSN +들)) (JX +은)",
            "(NP (NNG 어머니)) (JX +는)",
        ),
        "sub": (
            "(NP (NNG 아버지)) (JKS +가)",
            "(NP (NNG 학생) (XSN +들)) (JKS +이)",
            "(NP (NNG 형)) (JKS +이)",
        ),
        "did": (
            "(NP-OBJ (NNG 책) (JKO +을)) (VP (VV 읽) (EP +었) (EF +다))",
            "(NP-OBJ (NNG 밥) (JKO +을)) (VP (VV 먹) (EP +었) (EF +다))",
            "(NP-OBJ (NNG 영화) (JKO +를)) (VP (VV+EP 봤) (EF +다))",
            "(NP-OBJ (NP (NNG 한국) (NNG 노래)) (JKO +를)) (VP (VV+EP 불렀) (EF +다))",
            "(NP-OBJ (NNG 커피) (JKO +를)) (VP (VV+EP 마셨) (EF +다))",
            "(NP-OBJ (NNG 사진) (JKO +을)) (VP (VV 찍) (EP +었) (EF +다))",
        ),
        "does": (
            "(NP-OBJ (NNG 책) (JKO +을)) (VV 읽) (EP +는)",
            "(NP-OBJ (NNG 편지) (JKO +를)) (VV 받) (EP +았)",
            "(NP-OBJ (NNG 문) (JKO +을)) (VV 닫) (EP +았)",
        ),
        "asked": (
            "(NP-OBJ (NP 무엇) (JKO +을)) (VP (VV 읽) (EP +었) (EF +습니까))",
            "(NP-OBJ (NP 누구) (JKO +를)) (VP (VV+EP 만났) (EF +습니까))",
        ),
        "stays": (
            "(NP-AJT (NNG 집) (JKB +에)) (VP (VV 있) (EP +겠) (EF +다))",
            "(NP-OBJ (NNG 우산) (JKO +을)) (VP (VV 찾) (EF +는다))",
        ),
        "and": (
            "(NP-OBJ (NNG 숙제) (JKO +를)) (VV 하)",
            "(NP-OBJ (NNG 손) (JKO +을)) (VV 씻)",
            "(NP-OBJ (NNG 문) (JKO +을)) (VV 열)",
        ),
        "with": ("(NP (NNG 누나))", "(NP (NNG 친구))", "(NP (NNG 어머니))"),
        "how": ("같이", "조용히", "천천히"),
        "place": ("학교", "집", "도서관", "공원"),
        "day": ("아침", "저녁", "월요일", "주말"),
        "made": ("산", "읽은", "찾은"),
        "thing": ("책", "신문", "소설"),
        "good": ("재미있", "좋", "짧"),
        "rain": ("비", "버스", "친구"),
    },
)

CHINESE = (
    (
        "(IP {who} (VP (PP (P 在) (NP (NN {place}))) (VP {did})) (PU 。))",
        "(IP (NP-TMP (NT 昨天)) (PU ，) {who} (VP (PP (P 跟) {friend}) (VP (ADVP (AD 一起)) (VP {did}))) (PU 。))",
        "(IP {who} (VP (VV {like}) (IP (VP (VV {doing}) (NP (NN {object}))))) (PU 。))",
        "(IP (NP (CP (IP (NP (PN 我)) (VP (VV {bought}))) (DEC 的)) (NP (NN {thing}))) (VP (ADVP (AD 很)) (VP (VA {good}))) (PU 。))",
        "(IP (IP {who} (VP {did})) (PU ，) (IP (NP (PN 我们)) (VP (ADVP (AD 也)) (VP {did}))) (PU 。))",
        "(IP {who} (VP (VV 说) (PU ：) (PU “) (IP (NP (PN 我)) (VP {did})) (PU ”)) (PU 。))",
        "(IP {who} (VP (PP (P 把) (NP (NN {thing}))) (VP (VV 放在) (LCP (NP (NN {table})) (LC 上)))) (PU 。))",
        "(CP (IP {who} (VP (PP (P 在) (NP (NN {place}))) (VP {do}))) (SP 吗) (PU ？))",
        "(IP {who} (VP (VV 有) (NP (QP (CD {number}) (CLP (M 本))) (NP (NN 书)))) (PU 。))",
    ),
    {
        "who": (
            "(NP (PN 他))",
            "(NP (NN 老师))",
            "(NP (DNP (NP (PN 我)) (DEG 的)) (NP (NN 朋友)))",
            "(NP (DP (DT 那) (CLP (M 个))) (NP (NN 学生)))",
            "(NP (NN 妈妈))",
        ),
        "friend": ("(NP (NN 同学))", "(NP (DNP (NP (PN 他)) (DEG 的)) (NP (NN 弟弟)))"),
        "did": (
            "(VV 看) (AS 了) (NP (QP (CD 一) (CLP (M 本))) (NP (NN 小说)))",
            "(VV 买) (AS 了) (NP (NN 苹果))",
            "(VV 写) (AS 了) (NP (QP (CD 两) (CLP (M 封))) (NP (NN 信)))",
            "(VV 做) (AS 了) (NP (NN 晚饭))",
        ),
        "do": ("(VV 看) (NP (NN 电影))", "(VV 喝) (NP (NN 咖啡))", "(VV 学习) (NP (NN 中文))"),
        "like": ("喜欢", "打算"),
        "doing": ("看", "听"),
        "object": ("音乐会", "京剧"),
        "bought": ("买", "看", "借"),
        "thing": ("小说", "杂志", "词典"),
        "good": ("有意思", "贵", "长"),
        "place": ("图书馆", "学校", "公园", "家"),
        "table": ("桌子", "椅子"),
        "number": ("三", "十", "五"),
    },
)

JAPANESE = (
    (
        "(S {who} (VP (PP (NP (N {place})) (P で)) (VP {did})) (PU 。))",
        "(S (NP-TMP (N 昨日)) (PU 、) {who} (VP (PP {friend} (P と)) (VP {did})) (PU 。))",
        "(S (PP (NP (S-REL (PP (NP (PRO 私)) (P が)) (VP (V {bought}) (AX た))) (NP (N {thing}))) (P は)) (ADJP (ADV とても) (ADJ {good}) (AX です)) (PU 。))",
        "(S (S {who} (VP {and} (P て))) (PU 、) (VP {did}) (PU 。))",
        "(S {who} (VP (CP (PU 「) (S (PP (NP (PRO 私)) (P が)) (VP {did})) (PU 」) (P と)) (VP (V 言っ) (AX た))) (PU 。))",
        "(S {who} (VP (PP (NP (N {day})) (P に)) (VP (PP (NP (N {place})) (P へ)) (V 行き) (AX まし) (AX た))) (PU 。))",
        "(S {who} (VP (PP (NP (N {place})) (P に)) (VP (V い) (AX ます))) (P か) (PU 。))",
        "(S (S (PP (NP (N 雨)) (P が)) (VP (V 降れ) (P ば))) (PU 、) {who} (VP (PP (NP (N 家)) (P で)) (VP {do})) (PU 。))",
    ),
    {
        "who": (
            "(PP (NP (N 学生)) (P は))",
            "(PP (NP (N 先生)) (P は))",
            "(PP (NP (PP (NP (PRO 私)) (P の)) (NP (N 友達))) (P は))",
            "(PP (NP (N 母)) (P は))",
            "(PP (NP (N 田中) (N さん)) (P は))",
        ),
        "friend": ("(NP (N 妹))", "(NP (PP (NP (PRO 彼)) (P の)) (NP (N 兄)))"),
        "did": (
            "(PP (NP (N 本)) (P を)) (V 読ん) (AX だ)",
            "(PP (NP (N 手紙)) (P を)) (V 書い) (AX た)",
            "(PP (NP (N ご飯)) (P を)) (V 食べ) (AX た)",
            "(PP (NP (N 映画)) (P を)) (V 見) (AX まし) (AX た)",
        ),
        "do": ("(PP (NP (N 音楽)) (P を)) (V 聞く)", "(PP (NP (N 本)) (P を)) (V 読み) (AX ます)"),
        "and": (
            "(PP (NP (N 窓)) (P を)) (V 開け)",
            "(PP (NP (N 手)) (P を)) (V 洗っ)",
            "(NP (N 朝)) (ADVP (ADV 早く)) (V 起き)",
        ),
        "bought": ("買っ", "借り", "見つけ"),
        "thing": ("雑誌", "辞書", "小説"),
        "good": ("面白い", "いい", "難しい"),
        "place": ("図書館", "学校", "公園", "駅"),
        "day": ("月曜日", "週末", "夏"),
    },
)

GRAMMARS = {"en": ENGLISH, "ko": KOREAN, "zh": CHINESE, "ja": JAPANESE}
BLANKS = {"en": " ", "ko": " ", "zh": "", "ja": ""}


def sentences(lang: str) -> list[Sentence]:
    """Return the sentences of a language, in the order of its text."""
    rng = random.Random(lang)
    patterns, lists = GRAMMARS[lang]
    trees: dict[str, None] = {}
    for pattern in [*patterns] * SENTENCES:
        tree = pattern
        while "{" in tree:
            tree = re.sub(r"\{(\w+)\}", lambda match: rng.choice(lists[match[1]]), tree)
        if len(trees) < SENTENCES:
            trees[tree] = None
    found, start = [], 0
    for tree in trees:
        found.append(_sentence(tree, BLANKS[lang], start))
        start += len(found[-1].text) + len(BLANKS[lang])
    return found


def _sentence(pattern: str, blank: str, start: int) -> Sentence:
    """Return a sentence whose text begins at a place of the text of its language."""
    text, tree, words, open_nodes, closed = "", [], [], [], []
    tokens = re.findall(r"\([^\s()]+|\)|[^\s()]+", pattern)
    for number, token in enumerate(tokens):
        if token.startswith("("):
            is_tag = not tokens[number + 1].startswith("(")
            open_nodes.append(None if is_tag else len(closed))
            if not is_tag:
                closed.append([token[1:], len(words), 0])
        elif token == ")":
            node = open_nodes.pop()
            if node is not None:
                closed[node][2] = len(words)
        else:
            word = token.removeprefix("+")
            shown = {"-LRB-": "(", "-RRB-": ")"}.get(word, word)
            if text and token[0] != "+" and not text.endswith(("$", "(", "“")):
                text += blank
            words.append((start + len(text), start + len(text) + len(shown)))
            text += shown
            token = word
        tree.append(token)
    spans = [(label, words[first][0], words[last - 1][1]) for label, first, last in closed]
    written = re.sub(r" (?=\))", "", " ".join(tree))
    return Sentence(f"(TOP {written})", text[:1].upper() + text[1:], tuple(words), tuple(spans))
