/**
 * Rewrites prohibitions in other languages as English ones: "Не запускай X" becomes "never run X". Only the words around
 * the thing are translated, because commands, packages and files have the same names in every language.
 */
const stems: [verb: string, stems: RegExp][] = [
  [
    'edit',
    /^(?:трога|меня|измен|прав|редактир|ander|änder|bearbeit|anfass|anrühr|anruhr|rühr|modifi|touch|toqu|toca|chang|cambi|edit|alter|mex|tocc)/,
  ],
  ['run', /^(?:запуска|выполня|ausführ|ausfuhr|starte|aufruf|lanc|exécut|execut|ejecut|corr|rod|esegu)/],
  ['add', /^(?:добавля|вставля|hinzufüg|einbau|füg|ajout|añad|agregu|adicion|aggiung)/],
  ['install', /^(?:устанавлив|став|install|instal)/],
  ['delete', /^(?:удаля|стира|lösch|entfern|supprim|effac|borr|elimin|apagu|cancell)/],
  ['commit', /^(?:коммит|commit|einchecken)/],
  ['push', /^(?:пуш|push|pouss)/],
  ['create', /^(?:созда|anleg|erstell|erzeug|cré|cre|crie)/],
  ['write', /^(?:пиш|schreib|écri|escrib|escrev|scriv)/],
  ['use', /^(?:использ|примен|verwend|benutz|nutz|nehm|utilis|utilic|utiliz|emplo|us[aeo]|usi)/],
];

const verbOf = (word: string): string | undefined =>
  stems.find(([, pattern]) => pattern.test(word.toLowerCase()))?.[0];

const word = '[\\p{L}]+';
/** A negation and the verb, then the object. */
const before: RegExp[] = [
  // Russian
  new RegExp(`(?<!\\p{L})(?:никогда\\s+)?не\\s+(${word})\\s+(?:больше\\s+|никогда\\s+)?`, 'giu'),
  // Spanish, Portuguese, Italian
  new RegExp(
    `(?<!\\p{L})(?:no|nunca|jamás|não|non)\\s+(${word})\\s+(?:(?:nada|nadie|niente)\\s+)?(?:(?:dentro\\s+de|en|em|in)\\s+(?=\\S*/))?(?:(?:el|la|los|las|o|a|os|as|il|lo|gli|le)\\s+)?`,
    'giu',
  ),
  // French: "on n'ajoute plus de X"
  new RegExp(
    `(?<!\\p{L})(?:(?:on|nous|tu|vous)\\s+)?n(?:e\\s+|['’])(${word})\\s+(?:pas|plus|jamais)\\s+(?:de\\s+|d['’]|les?\\s+|la\\s+|l['’]|à\\s+)?`,
    'giu',
  ),
  // German: "verwende nie X"
  new RegExp(
    `(?<!\\p{L})(${word}e)\\s+(?:bitte\\s+)?(?:nie(?:mals)?|nicht|keine?n?)\\s+(?:mehr\\s+|direkt\\s+)?(?:den\\s+|die\\s+|das\\s+)?`,
    'giu',
  ),
];
/** German: "X nie direkt aufrufen". */
const after = new RegExp(
  `(?<=^|[.!?;,]\\s+)(?:bitte\\s+)?((?:[^\\s.!?;,]\\S*\\s+){0,3}[^\\s.!?;,]\\S*)\\s+(?:bitte\\s+)?(?:nie(?:mals)?|nicht)\\s+(?:(?:mehr|wieder|direkt|selbst|von Hand)\\s+)*(${word}(?:en|ern|eln))(?=[\\s,.;!?]|$)`,
  'giu',
);
const inTests =
  /(?<!\p{L})(?:in den|in unseren|dans (?:les|nos)|en (?:los|las)|nos|в)\s+(?:[\w-]*?)(?:tests?|pruebas|testes|тестах)(?!\p{L})/giu;
const files = /(?:fichiers?|archivos?|ficheros?|arquivos?|файл\p{L}*)\s+(\.\w+)|(\.\w+)-Dateien?/giu;

export function inEnglish(text: string): string {
  const translated = before.reduce(
    (words, pattern) =>
      words.replace(pattern, (all, verb: string) =>
        verbOf(verb) === undefined ? all : `never ${verbOf(verb)} `,
      ),
    text,
  );
  return translated
    .replace(after, (all, object: string, verb: string) =>
      verbOf(verb) === undefined ? all : `never ${verbOf(verb)} ${object}`,
    )
    .replace(inTests, 'in tests')
    .replace(files, (_all, after, before) => `${after ?? before} files`);
}
