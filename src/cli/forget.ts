import { localDay } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { type Forgettable, findForgettable, forget } from '../memory/notes/forget.ts';
import type { ForgetRequest } from '../memory/notes/forget-request.ts';
import { readBuried } from '../memory/notes/tombstones.ts';
import { agentSessionNamed } from '../memory/sessions/agent-sessions.ts';
import { momentOf } from '../recall/parse-filter.ts';
import { openTeamMemory } from '../remote/show-memory.ts';
import { filesNaming, knowledgePath } from '../store/repo/knowledge-file.ts';
import { readRepoNotes } from '../store/repo/repo-notes.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import type { Forgotten } from '../wire/answers/memory.ts';
import { type App, type Command, isSet, type ParsedArgs, stringOf } from './command.ts';
import { openById } from './show.ts';

export const forgetCommand: Command = {
  name: 'forget',
  usage:
    'forget ID… | --containing TEXT | --query WORDS | --source SESSION|FILE|TOOL | --since DATE | --until DATE | --everything [--yes]',
  summary: 'Delete permanently from the log, the notes, the index and the prelude.',
  group: 'Memory',
  options: {
    containing: { about: 'Everything with exactly this text.', value: 'TEXT' },
    query: { about: 'Everything that contains all of these words.', value: 'WORDS' },
    source: { about: 'Everything from an agent session, a file or a tool.', value: 'SOURCE' },
    since: { about: 'Only after this time: a date, or 3d, 12h.', value: 'TIME' },
    until: { about: 'Only before this time: a date, or 3d, 12h.', value: 'TIME' },
    everything: { about: 'Everything in this project.' },
    yes: { about: 'Do not ask for confirmation.' },
  },
  needsPerson: 'Forgetting',
  async run(app, args) {
    const request = await requestOf(app, args);
    const place = app.place();
    const parts = app.open(place.project);
    if (!isSet(args, 'yes')) {
      const question = forgetQuestion(request, await findForgettable(parts, request));
      if (!(await app.confirm(question)))
        return {
          value: { events: 0, notes: 0 },
          text: 'Nothing was forgotten.',
          exitCode: 1,
        };
    }
    const done = await forget(parts, request, app.context(place));
    const text =
      done.events + done.notes === 0
        ? 'Nothing matches, so nothing was forgotten.'
        : `Forgotten: ${countsText(done)}. The agent's own transcript still has its copy.`;
    const isBuried = readBuried(parts);
    const left = readRepoNotes(place.root, () => {}).filter(({ note }) => isBuried(note));
    const known = filesNaming(place.root, (id) => isBuried({ id, text: '' }));
    const remark = [
      ...left.map(({ path }) => [path, `share --remove ${path}`]),
      ...known.map((path) => [path, path === knowledgePath ? 'knowledge' : `knowledge --into ${path}`]),
    ].map(
      ([path, command]) =>
        `\n${path} in the repository still contains it. To remove it: backstory ${command}`,
    );
    const leftInRepository = [...left.map(({ path }) => path), ...known];
    return {
      value: { ...done, ...(leftInRepository.length === 0 ? {} : { leftInRepository }) },
      text: text + remark.join(''),
    };
  },
};

const countsText = ({ events, notes }: Forgotten): string =>
  `${plural(events, 'event')}, ${plural(notes, 'note')}`;

/** Names every note, and the events by kind, so that the user sees what else will be deleted. */
function forgetQuestion(request: ForgetRequest, { notes, derived, events }: Forgettable): string {
  const kinds = [...Map.groupBy(events, ({ kind }) => kind)].map(([kind, own]) => `${own.length} ${kind}`);
  const counts = countsText({ events: events.length, notes: notes.length + derived.length });
  return [
    ...listNotes('Notes:', notes),
    ...listNotes('Notes extracted from the events:', derived),
    ...(kinds.length === 0 ? [] : [`Events: ${kinds.join(', ')}`]),
    `Forget ${describeRequest(request)}: ${counts}? This cannot be undone.`,
  ].join('\n');
}

const titleLength = 80;

const listNotes = (heading: string, notes: Note[]): string[] =>
  notes.length === 0
    ? []
    : [
        heading,
        ...notes.map(
          ({ id, kind, title }) => `  ${shortNoteId(id)} ${kind}: ${harmlessLine(title, titleLength)}`,
        ),
      ];

const minTextLength = 3;

async function fullId(app: App, id: string): Promise<string> {
  const team = await openTeamMemory(app.open(), id);
  if (team !== undefined) return team.memory.id;
  const opened = await openById(app, id);
  return opened.kind === 'note' ? opened.note.id : opened.event.id;
}

async function requestOf(app: App, args: ParsedArgs): Promise<ForgetRequest> {
  const ids = await Promise.all(args.positionals.map((id) => fullId(app, id)));
  const [containing, words, source] = ['containing', 'query', 'source'].map((name) => stringOf(args, name));
  for (const text of [containing, words, source]) {
    if (text !== undefined && text.trim().length < minTextLength) throw missingTargetError();
  }
  const [since, until] = ['since', 'until'].map((name) => {
    const time = stringOf(args, name);
    return time === undefined ? undefined : momentOf(time, app.clock.now());
  });
  const request: ForgetRequest = {
    ids,
    ...(containing === undefined ? {} : { containing }),
    ...(words === undefined ? {} : { words }),
    ...(source === undefined ? {} : { source: (await agentSessionNamed(app.open(), source)) ?? source }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(isSet(args, 'everything') ? { everything: true as const } : {}),
  };
  if (ids.length === 0 && Object.keys(request).length === 1) throw missingTargetError();
  return request;
}

const missingTargetError = (): AppError =>
  new AppError(
    'INVALID_ARGUMENT',
    'nothing to forget given: pass an id, or --containing, --query or --source with at least three letters',
    { hint: 'backstory forget 3fa9c1d2' },
  );

function describeRequest(request: ForgetRequest): string {
  const { ids, containing, words, source, since, until, everything } = request;
  if (everything === true) return 'everything in this project';
  return [
    ...(ids.length === 0 ? [] : [`${ids.length} item${ids.length === 1 ? '' : 's'}`]),
    ...(containing === undefined ? [] : [`everything with "${containing}"`]),
    ...(words === undefined ? [] : [`everything with all of the words "${words}"`]),
    ...(source === undefined ? [] : [`everything from ${source}`]),
    ...(since === undefined && until === undefined
      ? []
      : [
          `everything${since === undefined ? '' : ` from ${localDay(since)} on`}${until === undefined ? '' : ` before ${localDay(until)}`}`,
        ]),
  ].join(' and ');
}
