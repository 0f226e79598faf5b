/**
 * What of a prompt its author typed. People paste issues, logs and mails, and a rule in one of those is nobody's
 * decision here; nothing marks where a paste begins, so what shows as one is dropped, and of what could be one
 * only candidates are made.
 */
export interface OwnWords {
  words: string;
  isPerhapsPasted: boolean;
}

const pasted = 1_500;
const frame = 500;

/** `maxLength` is how long a prompt may be that nobody pasted. */
export function ownWords(text: string, maxLength = pasted): OwnWords {
  // Around something long that was pasted, people write a line before or after; the rest is not their words.
  const near =
    text.length <= maxLength ? text : `${text.slice(0, frame)}\n${text.slice(-frame)}`.toWellFormed();
  const lines = near.split('\n');
  const announced = lines.findIndex((line) => announcing.test(line));
  const typed = (announced === -1 ? lines : lines.slice(0, announced + 1)).filter((line) => !isLog(line));
  const isPerhapsPasted = text.length > pasted || typed.filter((line) => line.trim() !== '').length > 1;
  return { words: typed.join('\n'), isPerhapsPasted };
}

/** "I get this:", and what follows is what they got. */
const announcing =
  /(?<![\p{L}])(?:this|says?|said|wrote|got|gives?|prints?|output|errors?|issue|ticket|message|mail|logs?|trace|pasted?)\s*:\s*$/iu;

const logLines = [
  /^\s*at\s.*:\d+\)?\s*$/,
  /^\s*(?:npm|pnpm|yarn|pip|cargo)\s+(?:warn|err|error|notice)/i,
  /^\s*\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)/,
  /^\s*\[?(?:trace|debug|info|warn|warning|error|fatal|deprecat\w+)\]?\s*[:\]|]/i,
  /(?<![\p{L}])[A-Z]\w*(?:Error|Exception|Warning)(?:\s*[[(][^\])]*[\])])?:/u,
  // `@src/a.ts:18` is a file that the user mentions.
  /^\s*(?!@)\S+\.\w{1,5}:\d+(?::\d+)?\b/,
  /^\s*\S+\.\w{1,5}\(\d+,\d+\)/,
];

const isLog = (line: string): boolean => logLines.some((pattern) => pattern.test(line));
