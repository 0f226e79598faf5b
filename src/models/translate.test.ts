import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTranslations, type TranslationsHeader } from './translations.ts';
import { createVocabulary } from './vocabulary.ts';
import { piecesOf } from './word-pieces.ts';

const english =
  'file database data connection search lookup test delete remove update check server the main hand die note index'.split(
    ' ',
  );
const vocabulary = createVocabulary(Buffer.from(`${english.join('\n')}\n`), english.length);
const packed = readFileSync('assets/translations.bin');
const bodyAt = 8 + packed.readUInt32LE(4);
const header = JSON.parse(packed.toString('utf8', 8, bodyAt)) as TranslationsHeader;
const translations = createTranslations(packed.subarray(bodyAt), header, vocabulary);

const read = (text: string): string[] => [
  ...new Set(
    piecesOf(text, vocabulary, undefined, () => translations).entries.map(
      (entry) => english[entry] as string,
    ),
  ),
];

describe('a text in another language', () => {
  it.each([
    ['la búsqueda', 'search'],
    ['una busqueda', 'search'],
    ['los archivos', 'file'],
    ['die Dateien', 'file'],
    ['die Datenbankverbindung', 'connection'],
    ['die Testdatei', 'file'],
    ['wir prüfen', 'check'],
    ['wir pruefen', 'check'],
    ['le fichier', 'file'],
    ['os arquivos', 'file'],
    ['файлами', 'file'],
    ['серверів', 'server'],
    ['更新数据库', 'database'],
    ['ファイルを削除する', 'delete'],
  ])('has the entries of its English words: %s', (text, word) => {
    expect(read(text)).toContain(word);
  });

  it('has a word that is also English with its own meaning', () => {
    expect(read('die Datei')).not.toContain('die');
  });

  it('has no entries for function words', () => {
    expect(piecesOf('warum ist das nicht so', vocabulary, undefined, () => translations)).toMatchObject({
      entries: [],
      knownShare: 1,
    });
  });

  it('counts a word once, however many translations it has', () => {
    const { weights = [] } = piecesOf('búsqueda', vocabulary, undefined, () => translations);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1);
  });
});

it('a text is not translated if its function words are English, whatever its names', () => {
  const text = 'why did the coderabbit server ignore the gsd and frobnicate todos';
  expect(piecesOf(text, vocabulary, undefined, () => translations)).toEqual(piecesOf(text, vocabulary));
});

it('a text is not translated if its words are English', () => {
  const load = () => {
    throw new Error('loaded');
  };
  const text = 'check the main index note, the server file';
  expect(piecesOf(text, vocabulary, undefined, load)).toEqual(piecesOf(text, vocabulary));
});
