import { AppError } from '../base/errors.ts';
import { defaultBranch, findRange, type RevisionRange } from '../git/revisions.ts';
import { cleanForRepository } from '../memory/notes/share.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { readRepoNotes } from '../store/repo/repo-notes.ts';
import { harmlessLine, mapStrings } from '../text/fence.ts';
import { whyChange } from '../why/change.ts';
import { changeAsMarkdown, type PublishedWords, publishable } from '../why/change-markdown.ts';
import { type App, type Command, isSet } from './command.ts';

export const prCommand: Command = {
  name: 'pr',
  usage: 'pr [BASE..HEAD] [--yes]',
  summary: 'Print a change as Markdown for a pull request, after you struck out what to keep to yourself.',
  group: 'Handoff',
  options: {
    yes: {
      about:
        'Do not ask: print only commits, agents, models, shares, tests and shared notes, no word of a prompt.',
    },
  },
  needsPerson: ({ values }) => (values.yes === true ? undefined : 'Publishing your words'),
  async run(app, args) {
    const { root, project } = app.place();
    const range = await rangeOf(root, args.positionals.join(' ').trim());
    const open = app.open(project);
    const redacting = { redactor: projectRedactor(open), userHome: app.userHome };
    const clean = (text: string) => cleanForRepository(redacting, text);
    const limits = { now: app.clock.now(), limits: thoroughLimits };
    // Before the text is escaped for Markdown, where a secret would no longer be recognized.
    const answer = mapStrings(await whyChange({ parts: open, root }, range, limits), clean);
    const words = isSet(args, 'yes') ? [] : await chooseWords(app, publishable(answer));
    const paths = new Set(answer.files.map(({ path }) => path));
    const notes = readRepoNotes(root, () => {}).filter(({ note }) =>
      note.files.some((file) => paths.has(file)),
    );
    const shared = notes.map(({ note }) => clean(note.text));
    const markdown = changeAsMarkdown(answer, { words, shared });
    return { value: { base: range.base, head: range.head, markdown }, text: markdown, isVerbatim: true };
  },
};

async function rangeOf(root: string, text: string): Promise<RevisionRange> {
  const start = defaultBranch(root);
  const range = await findRange(root, text === '' ? `${start ?? ''}..HEAD` : text);
  if (range === undefined || range.base === range.head || (text === '' && start === undefined))
    throw new AppError('NOT_FOUND', `${text || `${start ?? 'the default branch'}..HEAD`} has no commits`, {
      hint: 'Name the range: backstory pr main..HEAD',
    });
  return range;
}

/** Shows the user's words and asks which to leave out. Without an answer, none is published. */
async function chooseWords(app: App, words: PublishedWords[]): Promise<PublishedWords[]> {
  if (words.length === 0) return [];
  const list = words.map(({ text }, at) => `${String(at + 1).padStart(3)}. ${harmlessLine(text, 1_000)}`);
  app.printError(['These words would be published:', ...list].join('\n'));
  for (;;) {
    const answer = await app.ask('Leave out which? Numbers such as 1 3-5, all, or Enter to publish these: ');
    const out = answer === undefined ? () => true : leftOut(answer.trim());
    if (out !== undefined) return words.filter((_, at) => !out(at + 1));
  }
}

/** Undefined if the answer cannot be understood. */
function leftOut(answer: string): ((line: number) => boolean) | undefined {
  if (answer === 'all') return () => true;
  const parts = answer.split(/[\s,]+/).filter((part) => part !== '');
  if (!parts.every((part) => /^\d+(?:-\d+)?$/.test(part))) return undefined;
  const ranges = parts.map((part) => part.split('-').map(Number));
  return (line) => ranges.some(([from = 0, to = from]) => line >= from && line <= to);
}
