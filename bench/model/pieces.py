"""Splits text into word pieces exactly as src/models/word-pieces.ts does; bench/model/agree.json tests both."""

import re
import unicodedata

RUN = re.compile(r"[A-Za-z0-9]+")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
LONGEST_RUN, LONGEST_PIECE = 40, 24


def words(text):
    """Lower-case words, with identifiers split."""
    plain = unicodedata.normalize("NFKD", text)
    plain = re.sub(r"[\u0300-\u036f]", "", plain)
    for run in RUN.findall(plain):
        # Hashes, keys and encoded bytes have no meaning, and neither have their fragments.
        if len(run) > LONGEST_RUN or (len(run) >= 12 and re.search(r"\d", run) and not re.fullmatch(r"[A-Za-z]+\d{1,4}", run)):
            continue
        for part in PART.findall(run):
            yield part.lower()


def pieces(text, vocabulary):
    """Ids of vocabulary entries. An unknown word is split greedily, longest piece first."""
    found = []
    for word in words(text):
        whole = vocabulary.get(word)
        if whole is not None:
            found.append(whole)
            continue
        start, cut = 0, []
        while start < len(word):
            end = min(len(word), start + LONGEST_PIECE)
            mark = "##" if start else ""
            while end > start and mark + word[start:end] not in vocabulary:
                end -= 1
            if end == start:
                cut = []
                break
            cut.append(vocabulary[mark + word[start:end]])
            start = end
        found.extend(cut)
    return found
