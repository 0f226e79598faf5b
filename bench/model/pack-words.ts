import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { foldForeign, maxMeanings, type TranslationsHeader } from '../../src/models/translations.ts';
import { withoutAccents } from '../../src/models/word-pieces.ts';

/** Packs the word tables in `words/` into assets/translations.bin: `node bench/model/pack-words.ts`. */
const folder = join(import.meta.dirname, 'words');
const languages = ['es', 'pt', 'de', 'fr', 'uk', 'ru', 'zh', 'ja'];

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A translation that is much less usual than the best one of a word is left out. */
const minShareOfBest = 0.3;

const read = (name: string): string[][] =>
  readFileSync(join(folder, `${name}.tsv`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

/** For each foreign word, how usual each English word is as its translation. */
const meanings = new Map<string, Map<string, number>>();
const english = new Set<string>();

const addMeaning = (form: string, word: string, usual: number): void => {
  const own = meanings.get(form) ?? new Map<string, number>();
  own.set(word, (own.get(word) ?? 0) + usual);
  meanings.set(form, own);
};

for (const language of languages)
  for (const [rank, [word = '', forms = '']] of read(language).entries()) {
    english.add(word);
    // English words are in the order of their frequency, and their translations in the order of use.
    for (const [place, form] of forms.split(' ').entries())
      for (const spelling of spellingsOf(form, language))
        addMeaning(spelling, word, 1 / (1 + place * 0.3) / (1 + rank / 1000));
  }

// An inflected form that is listed as part of a phrase, such as "archivos" for "filesystem", means "archivo" too.
const listed = new Map([...meanings].map(([form, own]) => [form, [...own]]));
for (const form of listed.keys()) {
  if (unspaced.test(form)) continue;
  const shorter = [1, 2, 3].map((count) => form.slice(0, -count));
  const base = shorter.find((start) => start.length >= 4 && listed.has(start));
  for (const [word, usual] of listed.get(base ?? '') ?? []) addMeaning(form, word, usual * 0.7);
}

/** Function words have no meaning of their own, whatever the tables say. */
for (const [language = '', words = ''] of read('function-words'))
  for (const word of words.split(' '))
    for (const spelling of spellingsOf(word, language)) meanings.set(spelling, new Map());

function spellingsOf(form: string, language: string): string[] {
  const fold = (text: string): string => foldForeign(withoutAccents(text.toLowerCase()));
  const isWord = (text: string): boolean => /^\p{L}+$/u.test(text);
  // German umlauts may be written as two letters.
  const written = language === 'de' ? [form, form.replace(/[äöü]/g, '$&e')] : [form];
  return [...new Set(written.map(fold))].filter(isWord);
}

const englishWords = [...english];
const numberOf = new Map(englishWords.map((word, at) => [word, at + 1]));
const foreignWords = [...meanings.keys()].sort();
const numbers = foreignWords.flatMap((word) => {
  const ranked = [...(meanings.get(word) ?? [])].sort(([, a], [, b]) => b - a);
  const best = ranked[0]?.[1] ?? 0;
  const chosen = ranked.filter(([, share]) => share >= best * minShareOfBest).slice(0, maxMeanings);
  return Array.from({ length: maxMeanings }, (_, at) => numberOf.get(chosen[at]?.[0] ?? '') ?? 0);
});

const englishText = englishWords.join('\n');
const foreignText = foreignWords.join('');
const lengths = foreignWords.map((word) => word.length);
const body = deflateRawSync(
  Buffer.concat([
    Buffer.from(englishText + foreignText, 'utf16le'),
    Buffer.from(Uint16Array.from([...lengths, ...numbers]).buffer),
  ]),
  { level: 9 },
);
const header: TranslationsHeader = {
  englishUnits: englishText.length,
  foreignUnits: foreignText.length,
  foreignWords: foreignWords.length,
  sha256: createHash('sha256').update(body).digest('hex'),
};
const head = Buffer.from(JSON.stringify(header));
const length = Buffer.alloc(4);
length.writeUInt32LE(head.length);
writeFileSync('assets/translations.bin', Buffer.concat([Buffer.from('BSTR'), length, head, body]));
console.log(`${foreignWords.length} words, ${Math.round(body.length / 1024)} KB`);
