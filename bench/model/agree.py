"""Examples on which src/models/word-pieces.ts and pieces.py must agree:  python agree.py > agree.json"""

import json

from pieces import pieces

VOCABULARY = """the cache parse http response retry back ##off un ##able ##ing a naive cafe sha 256 20 ##23 2 ##5 s ##he ##ma
user by id get json x ##y""".split()
EXAMPLES = """The cache|parseHTTPResponse|retry_backoff|getUserById|unable|caching|naïve café|ｃａｃｈｅ|sha256|2023 25|zzz cache
JSON.parse(x)|xy-xyy|кэш cache|缓存cache|don't|id\u0000id|3f2a9c4b7d1e cache|user12345678|theTHEThe|Å cache|""".replace("\n", "|").split("|")

numbers = {entry: number for number, entry in enumerate(VOCABULARY)}
examples = [{"text": text, "entries": [VOCABULARY[at] for at in pieces(text, numbers)]} for text in EXAMPLES]
print(json.dumps({"vocabulary": VOCABULARY, "examples": examples}, indent=2, ensure_ascii=True))
