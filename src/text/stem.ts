/**
 * Stems a word, so that "retries", "retried" and "retrying" match each other. English words get the Porter
 * stemmer, which had better recall than lighter stemmers in the benchmarks with recorded conversations. Russian
 * and Ukrainian words lose their commonest endings. Overstemming does little harm: whole identifiers are terms too, and the other words of
 * a question still count.
 */
export function stem(word: string): string {
  if (/^[a-z]{4,}$/.test(word)) return stemEnglish(word);
  return /^[а-яёґєії]{4,}$/.test(word) ? stemCyrillic(word) : word;
}

const consonants = '[^aeiou][^aeiouy]*';
const vowels = '[aeiouy][aeiou]*';
const hasVowel = new RegExp(`^(?:${consonants})?[aeiouy]`);
/** Porter's measure of the part before an ending: at least one, exactly one, and more than one vowel-consonant pair. */
const someBody = new RegExp(`^(?:${consonants})?${vowels}${consonants}`);
const shortBody = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`);
const longBody = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const endsShort = new RegExp(`^${consonants}[aeiouy][^aeiouwxy]$`);

const endings: Record<string, string> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};
const laterEndings: Record<string, string> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};
const lastEndings = 'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize ion'.split(
  ' ',
);

/** Finds the longest ending that leaves a stem. Set lookups by length are faster than a regex. */
type FindEnding = (word: string) => string | undefined;

function findEnding(endings: string[]): FindEnding {
  const known = new Set(endings);
  const lengths = [...new Set(endings.map(({ length }) => length))].sort((a, b) => b - a);
  const lastLetters = new Set(endings.map((ending) => ending.charCodeAt(ending.length - 1)));
  return (word) => {
    if (!lastLetters.has(word.charCodeAt(word.length - 1))) return undefined;
    for (const length of lengths) {
      if (length >= word.length) continue;
      const ending = word.slice(-length);
      if (known.has(ending)) return ending;
    }
    return undefined;
  };
}

const ending = findEnding(Object.keys(endings));
const laterEnding = findEnding(Object.keys(laterEndings));
const lastEnding = findEnding(lastEndings);

/** Porter, "An algorithm for suffix stripping", 1980, step by step. */
function stemEnglish(given: string): string {
  // A leading y is a consonant. The capital Y keeps the patterns from treating it as a vowel.
  let word = given.startsWith('y') ? `Y${given.slice(1)}` : given;
  if (word.endsWith('s')) word = word.replace(/^(.+?)(ss|i)es$/, '$1$2').replace(/^(.+?)([^s])s$/, '$1$2');
  if (word.endsWith('d') || word.endsWith('g')) word = withoutPast(word);
  if (word.endsWith('y') && hasVowel.test(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
  word = replaceEnding(word, ending, endings);
  word = replaceEnding(word, laterEnding, laterEndings);
  word = withoutLast(word);
  const beforeE = word.endsWith('e') ? word.slice(0, -1) : '';
  if (longBody.test(beforeE) || (shortBody.test(beforeE) && !endsShort.test(beforeE))) word = beforeE;
  if (word.endsWith('ll') && longBody.test(word)) word = word.slice(0, -1);
  return word.toLowerCase();
}

function withoutPast(word: string): string {
  const agreed = /^(.+?)eed$/.exec(word)?.[1];
  if (agreed !== undefined) return someBody.test(agreed) ? word.slice(0, -1) : word;
  const body = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (body === undefined || !hasVowel.test(body)) return word;
  if (/(?:at|bl|iz)$/.test(body)) return `${body}e`;
  if (/([^aeiouylsz])\1$/.test(body)) return body.slice(0, -1);
  return endsShort.test(body) ? `${body}e` : body;
}

function replaceEnding(word: string, find: FindEnding, table: Record<string, string>): string {
  const found = find(word);
  const body = found === undefined ? '' : word.slice(0, -found.length);
  return found !== undefined && someBody.test(body) ? body + (table[found] ?? '') : word;
}

function withoutLast(word: string): string {
  const found = lastEnding(word);
  if (found === undefined) return word;
  const body = word.slice(0, -found.length);
  if (found === 'ion' && !/[st]$/.test(body)) return word;
  return longBody.test(body) ? body : word;
}

/** Russian endings, and Ukrainian ones that no Russian word has. */
const cyrillicEndings =
  /(?:ється|ються|ією|істю|ості|ові|еві|ії|ів|їв|ій|їй|ою|ею|ює|ує|ає|иє|ивши(?:сь|ми)?|ывши(?:сь|ми)?|иями|ями|ами|иях|ях|ах|ого|его|ому|ему|ыми|ими|ться|тся|ете|йте|ешь|ишь|ует|уют|ла|ло|ли|ть|ый|ий|ой|ая|яя|ое|ее|ые|ие|ым|им|ом|ем|ам|ям|ов|ев|ей|ия|ии|ию|ет|ит|ут|ют|ат|ят|ую|юю|[аеиоуыьэюяйіїє])$/;

function stemCyrillic(word: string): string {
  const plain = word.replaceAll('ё', 'е');
  const body = plain.replace(cyrillicEndings, '');
  return body.length >= 3 ? body : plain;
}
