import { typedSentences } from '../../src/distil/sentences.ts';
import { parseTopicKind } from '../../src/domain/topic-kind.ts';
import { holdsWords, type ScriptedSession, type Words } from './script.ts';

/**
 * Simulates a model that reads well and writes badly: it finds what is worth keeping, but repeats itself, cites text it
 * never received, omits evidence, and adds text around its answer. This measures how the product handles that, not the
 * quality of a model.
 */
export function scriptedAnswer(sessions: ScriptedSession[], data: string): string {
  const entries = entriesIn(data);
  const session = sessions.find(({ acts }) => isAbout(acts, entries));
  const good = (session?.keep ?? []).flatMap(({ kinds, words }) => operationFor(kinds, words, entries) ?? []);
  const bad = [
    {
      op: 'assert',
      kind: 'decision',
      topic: 'language',
      statement: 'It was decided to rewrite everything in another language.',
      evidence: ['e999'],
    },
    {
      op: 'assert',
      kind: 'rule',
      topic: 'tests',
      statement: 'Everybody here always works without any tests.',
      evidence: [],
    },
    {
      op: 'assert',
      kind: 'nonsense',
      topic: 'weather',
      statement: 'The weather was good while this was written.',
      evidence: ['e1'],
    },
  ];
  const operations = [...good, ...good.slice(0, 1), ...bad];
  return `Here is what I found.\n\`\`\`json\n${JSON.stringify({ operations })}\n\`\`\`\nLet me know if you need more.`;
}

interface Entry {
  mark: string;
  isPrompt: boolean;
  text: string;
}

/**
 * Parses the session text that the product sends to a model. Each entry starts with its id and its kind, as in `e12 the
 * person says`. The lines of its text follow, each prefixed with `| `.
 */
function entriesIn(data: string): Entry[] {
  const entries: Entry[] = [];
  for (const line of data.split('\n')) {
    const [, mark = '', head = ''] = /^(e\d+) (.*)$/.exec(line) ?? [];
    if (mark !== '') entries.push({ mark, isPrompt: head === 'the person says', text: '' });
    const last = entries.at(-1);
    if (line.startsWith('| ') && last !== undefined) last.text += `${line.slice(2)}\n`;
  }
  return entries;
}

function isAbout(acts: ScriptedSession['acts'], entries: Entry[]): boolean {
  const prompts = entries.filter(({ isPrompt }) => isPrompt).map(({ text }) => text.trim().slice(0, 60));
  const promptStarts = acts.flatMap((act) => (act.kind === 'prompt' ? [act.text.trim().slice(0, 60)] : []));
  return prompts.length > 0 && prompts.every((prompt) => promptStarts.includes(prompt));
}

function operationFor(kinds: string[], words: Words, entries: Entry[]) {
  const kind = kinds.find((one) => parseTopicKind(one) !== undefined) ?? 'fact';
  const topic = words.map(([first = '']) => first).join(' ');
  const whole = entries.filter(({ text }) => holdsWords(text, words));
  const prompt = whole.find(({ isPrompt }) => isPrompt);
  if (prompt !== undefined) {
    const quote = sentencesWith(prompt.text, words);
    return { op: 'assert', kind, topic, statement: quote, quote, evidence: [prompt.mark] };
  }
  const parts = words.map((alternatives) => entries.findLast(({ text }) => holdsWords(text, [alternatives])));
  const found = [...new Set(whole.length > 0 ? whole.slice(-1) : parts.flatMap((part) => part ?? []))];
  if (found.length === 0) return undefined;
  const statement = found
    .map((entry) => sentencesWith(entry.text, words))
    .join(' ')
    .slice(0, 380);
  return { op: 'assert', kind, topic, statement, quote: '', evidence: found.map(({ mark }) => mark) };
}

/** Returns the sentences of a text from the first to the last one that contains one of the words. */
function sentencesWith(text: string, words: Words): string {
  const sentences = typedSentences(text);
  const has = (sentence: string): boolean =>
    words.some((alternatives) => holdsWords(sentence, [alternatives]));
  const first = sentences.findIndex(has);
  const passage = sentences.slice(first, sentences.findLastIndex(has) + 1).join(' ');
  return passage === '' ? text.trim().slice(0, 300) : passage;
}
