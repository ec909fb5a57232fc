"""Tokenises the text on standard input: ``python tokenise.py TOOLS``, in the environment of the tools.

Imports nothing of this project.  Writes the sentences as JSON: lists of tokens, each with its text, first
character and last character + 1.
"""

import json
import sys


def in_order(text, start, tokens):
    """Find tokens without places in the text, from a place on."""
    found = []
    for token in tokens:
        start = text.index(token, start)
        found.append((token, start, start + len(token)))
        start += len(token)
    return found


def kiwi(text):
    from kiwipiepy import Kiwi

    for sentence in Kiwi().split_into_sents(text, return_tokens=True):
        # Kiwi writes its own forms: 한다 is 하 and ᆫ다, which begin at the same character.
        yield [(token.form, token.start, token.end) for token in sentence.tokens]


def syntok(text):
    from syntok import segmenter

    for paragraph in segmenter.analyze(text):
        for sentence in paragraph:
            yield [(token.value, token.offset, token.offset + len(token.value)) for token in sentence]


def spacy(lang):
    def sentences(text):
        import spacy

        pipeline = spacy.blank(lang)
        pipeline.add_pipe("sentencizer")
        for sentence in pipeline(text).sents:
            yield [
                (token.text, token.idx, token.idx + len(token)) for token in sentence if token.text.strip()
            ]

    return sentences


def pysbd(lang):
    def ends(text):
        import pysbd

        return [
            (span.start, span.end)
            for span in pysbd.Segmenter(lang, clean=False, char_span=True).segment(text)
        ]

    return ends


def blingfire_sentences(text):
    import blingfire

    return blingfire.text_to_sentences_and_offsets(text)[1]


def blingfire_words(text, start):
    import blingfire

    return [(text[a:b], start + a, start + b) for a, b in blingfire.text_to_words_with_offsets(text)[1]]


def treebank(text, start):
    from nltk.tokenize import NLTKWordTokenizer

    return [(text[a:b], start + a, start + b) for a, b in NLTKWordTokenizer().span_tokenize(text)]


def moses(text, start):
    from sacremoses import MosesTokenizer

    return in_order(" " * start + text, start, MosesTokenizer("en").tokenize(text, escape=False))


def mecab_ko(text, start):
    from mecab import MeCab

    return [(one.surface, start + one.span.start, start + one.span.end) for one in MeCab().parse(text)]


def jieba(text, start):
    import jieba

    jieba.setLogLevel("ERROR")
    return [(word, start + a, start + b) for word, a, b in jieba.tokenize(text) if word.strip()]


def fugashi(text, start):
    from fugashi import Tagger

    return in_order(" " * start + text, start, [word.surface for word in Tagger()(text)])


def split(sentences, words):
    """Return a function that splits a text into sentences and each sentence into words."""

    def both(text):
        for start, end in sentences(text):
            yield words(text[start:end], start)

    return both


TOOLS = {
    "spacy-en": spacy("en"),
    "syntok-en": syntok,
    "nltk+pysbd-en": split(pysbd("en"), treebank),
    "sacremoses+pysbd-en": split(pysbd("en"), moses),
    "blingfire-en": split(blingfire_sentences, blingfire_words),
    "kiwipiepy-ko": kiwi,
    "mecab+blingfire-ko": split(blingfire_sentences, mecab_ko),
    "jieba+pysbd-zh": split(pysbd("zh"), jieba),
    "spacy-zh": spacy("zh"),
    "fugashi+pysbd-ja": split(pysbd("ja"), fugashi),
}

if __name__ == "__main__":
    sentences = [list(sentence) for sentence in TOOLS[sys.argv[1]](sys.stdin.read())]
    json.dump([sentence for sentence in sentences if sentence], sys.stdout)
