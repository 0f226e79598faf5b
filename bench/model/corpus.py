"""Permissively licensed English for the recipe: manuals from Debian, READMEs from PyPI, WordNet, and small talk.

    python corpus.py FOLDER     writes FOLDER/corpus.tsv, one "kind<TAB>text" a line

Taken: WordNet (its own licence), the manuals of Rust (MIT, Apache-2.0), PostgreSQL (PostgreSQL), Node (MIT),
SQLite (public domain), Python (PSF) and Django (BSD), chatterbot-corpus (BSD), and descriptions of PyPI packages
whose licence is MIT, BSD, Apache, ISC or PSF. Nothing of any set the product is judged by.
"""

import glob
import html
import json
import os
import random
import re
import subprocess
import sys
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor

import yaml

MANUALS = "rust-doc postgresql-doc-15 nodejs-doc sqlite3-doc python3.11-doc python-django-doc".split()
SEEDS = """requests flask django fastapi numpy pandas scipy scikit-learn pytest tox black ruff mypy poetry pip setuptools
celery redis sqlalchemy psycopg alembic pydantic httpx aiohttp uvicorn gunicorn starlette boto3 click typer rich
textual jupyter notebook ipython matplotlib seaborn plotly bokeh dash streamlit gradio torch transformers
sentence-transformers langchain openai anthropic litellm chromadb qdrant-client pymilvus elasticsearch kafka-python
pika grpcio protobuf docker kubernetes ansible paramiko fabric scrapy beautifulsoup4 selenium playwright lxml
opencv-python pillow spacy nltk gensim airflow apache-airflow dagster prefect dbt-core great-expectations pyspark dask
ray polars duckdb pyarrow mlflow wandb tensorboard hydra-core omegaconf sphinx mkdocs mkdocs-material pre-commit nox
coverage hypothesis locust sentry-sdk opentelemetry-sdk prometheus-client structlog loguru jinja2 marshmallow graphene
strawberry-graphql channels djangorestframework wagtail mezzanine celery-redbeat rq huey dramatiq arq home-assistant-frontend
mcp fastmcp aider-chat pydantic-ai crewai autogen smolagents llama-index haystack-ai dspy instructor guidance outlines""".split()
PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Unlicense)\b", re.I)
COPYLEFT = re.compile(r"GPL|GNU|MPL|Mozilla|EUPL|CC[- ]BY[- ](NC|SA)", re.I)


def unpack_manuals(folder):
    debs = os.path.join(folder, "deb")
    os.makedirs(debs, exist_ok=True)
    for name in [*MANUALS, "wordnet-base"]:
        if not glob.glob(f"{debs}/{name}_*.deb"):
            subprocess.run(["apt-get", "download", name], cwd=debs, check=True)
        if not os.path.isdir(f"{debs}/{name}"):
            subprocess.run(["dpkg", "-x", glob.glob(f"{debs}/{name}_*.deb")[0], f"{debs}/{name}"], check=True)
    return debs


def text_of_html(page):
    page = re.sub(r"(?is)<(script|style|pre|nav|table|head)\b.*?</\1>", " ", page)
    blocks = re.findall(r"(?is)<(?:p|li|dd|h[1-4])\b[^>]*>(.*?)</(?:p|li|dd|h[1-4])>", page)
    return [re.sub(r"\s+", " ", html.unescape(re.sub(r"(?s)<[^>]+>", "", block))).strip(" ¶§") for block in blocks]


def sentences(text):
    for part in re.split(r"(?<=[.!?:])\s+(?=[A-Z`\"'(])", text):
        part = part.strip()
        words = part.split()
        if 4 <= len(words) <= 40 and len(part) <= 260 and sum(c.isascii() for c in part) == len(part):
            yield part


def manuals(debs):
    for name in MANUALS:
        for path in sorted(glob.glob(f"{debs}/{name}/usr/share/doc/**/*.html", recursive=True)):
            if os.path.getsize(path) > 2_000_000:
                continue
            with open(path, encoding="utf8", errors="replace") as file:
                for block in text_of_html(file.read()):
                    for sentence in sentences(block):
                        yield name, sentence


def wordnet(debs):
    for part in ("noun", "verb", "adj", "adv"):
        with open(f"{debs}/wordnet-base/usr/share/wordnet/data.{part}", encoding="latin1") as file:
            for line in file:
                if line.startswith("  "):
                    continue
                head, gloss = line.rstrip().split(" | ", 1)
                fields = head.split(" ")
                lemmas = [fields[4 + 2 * at].replace("_", " ") for at in range(int(fields[3], 16))]
                pieces = re.findall(r'"([^"]+)"', gloss)
                meaning = gloss.split('; "')[0].strip()
                yield "gloss", f"{', '.join(lemmas[:3])}: {meaning}"
                for example in pieces:
                    if len(example.split()) >= 4:
                        yield "example", example


def small_talk(debs):
    if not glob.glob(f"{debs}/chatterbot_corpus*.whl"):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "chatterbot-corpus", "-d", debs], check=True)
    with zipfile.ZipFile(glob.glob(f"{debs}/chatterbot_corpus*.whl")[0]) as wheel:
        for name in sorted(wheel.namelist()):
            if "/english/" in name and name.endswith(".yml"):
                for talk in yaml.safe_load(wheel.read(name)).get("conversations", []):
                    for line in talk:
                        yield "talk", str(line)


def described(name):
    try:
        with urllib.request.urlopen(f"https://pypi.org/pypi/{name}/json", timeout=20) as answer:
            return json.load(answer)["info"]
    except Exception:
        return None


def readmes(folder, count):
    cache = os.path.join(folder, "pypi.json")
    if not os.path.exists(cache):
        seen, waiting, kept = set(), list(SEEDS), {}
        with ThreadPoolExecutor(12) as pool:
            while waiting and len(kept) < count:
                batch = [name for name in dict.fromkeys(waiting) if name not in seen][:240]
                waiting = [name for name in waiting if name not in batch]
                seen.update(batch)
                for name, info in zip(batch, pool.map(described, batch)):
                    if info is None:
                        continue
                    licence = " ".join([str(info.get("license") or "")[:200], str(info.get("license_expression") or ""), *(c for c in info.get("classifiers") or [] if "License" in c)])
                    if PERMISSIVE.search(licence) and not COPYLEFT.search(licence):
                        kept[name] = info.get("description") or ""
                    for wanted in info.get("requires_dist") or []:
                        found = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", wanted)
                        if found and found.group().lower() not in seen:
                            waiting.append(found.group().lower())
                print(len(kept), "packages,", len(waiting), "waiting", flush=True)
        with open(cache, "w") as file:
            json.dump(kept, file)
    with open(cache) as file:
        for name, text in sorted(json.load(file).items()):
            text = re.sub(r"(?s)```.*?```|<[^>]+>|!?\[([^\]]*)\]\([^)]*\)|`{1,2}([^`]*)`{1,2}", lambda m: (m.group(1) or m.group(2) or " "), text)
            for block in re.split(r"\n\s*\n|\n(?=[-*#] )", text):
                for sentence in sentences(re.sub(r"\s+", " ", block).strip("#*-= ")):
                    yield "readme", sentence


TALK = """I went to the {n} with my {n} last {time}.|My {n} and I {v} at the {n} every {time}.|What did {who} say about the {n}?
When did {who} {v} the {n}?|Which {n} does {who} like the most?|I'm so happy about my new {n}, it is really {a}!
Have you ever tried to {v} a {n}?|We should {v} the {n} before {time}.|{who} told me that the {n} was {a}.
How long has {who} had the {n}?|I've been feeling {a} since the {n}.|Why did we {v} the {n} instead of the {n}?
Where did {who} buy the {a} {n}?|I always prefer a {a} {n} over a {a} one.|That sounds {a}! Tell me more about your {n}.
My {who} is planning to {v} next {time}.|I finally decided to {v} my {n} after the {n}.|What kind of {n} does {who} want to {v}?
Please never {v} the {n} without asking me.|I need help with my {n}, can you {v} it?|How many {n}s did {who} {v} in {time}?
The {n} reminds me of my {n} in {time}.|{who} gave me a {a} {n} for my birthday.|I got a job as a {n} and started in {time}."""
WHO = "my mom|my dad|my sister|my brother|my friend|my wife|my husband|my kids|my boss|my teacher|the team|our customer|Anna|Tom|Maria|James".split("|")
TIME = "week|weekend|year|month|summer|winter|January|May|September|Friday|night|morning|2022|2023".split("|")


def made_up(debs, count, chance):
    common = {}
    for part in ("noun", "verb", "adj"):
        with open(f"{debs}/wordnet-base/usr/share/wordnet/index.{part}", encoding="latin1") as file:
            # Words with several senses are the ones people use.
            rows = [line.split(" ") for line in file if not line.startswith("  ")]
            common[part[0]] = [row[0] for row in rows if int(row[2]) >= (3 if part == "noun" else 2) and row[0].isalpha() and len(row[0]) > 2]
    patterns = [pattern for line in TALK.split("\n") for pattern in line.split("|")]
    choices = {"n": common["n"], "v": common["v"], "a": common["a"], "who": WHO, "time": TIME}
    for _ in range(count):
        yield "made up", re.sub(r"\{(\w+)\}", lambda m: chance.choice(choices[m.group(1)]), chance.choice(patterns))


def main(folder):
    chance = random.Random(4)
    debs = unpack_manuals(folder)
    by_kind = {}
    for source in (manuals(debs), wordnet(debs), small_talk(debs), readmes(folder, 2500), made_up(debs, 30_000, chance)):
        for kind, text in source:
            by_kind.setdefault(kind, {})[" ".join(text.split())] = None
    chosen = []
    for kind, texts in sorted(by_kind.items()):
        print(f"{kind}: {len(texts)}", flush=True)
        chosen += [(kind, text) for text in sorted(texts)]
    chance.shuffle(chosen)
    with open(os.path.join(folder, "corpus.tsv"), "w") as file:
        file.writelines(f"{kind}\t{text}\n" for kind, text in chosen)


if __name__ == "__main__":
    main(sys.argv[1])
