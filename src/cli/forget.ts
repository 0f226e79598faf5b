import { AppError } from '../base/errors.ts';
import { countForgettable, type Forgotten, forget } from '../memory/notes/forget.ts';
import type { ForgetRequest } from '../memory/notes/forget-request.ts';
import { readBuried } from '../memory/notes/tombstones.ts';
import { agentSessionNamed } from '../memory/sessions/agent-sessions.ts';
import { momentOf } from '../recall/parse-filter.ts';
import { readRepoNotes } from '../store/repo/repo-notes.ts';
import { type App, type Command, type Given, isSet, stringOf } from './command.ts';
import { openHere } from './show.ts';

export const forgetCommand: Command = {
  name: 'forget',
  usage:
    'forget ID… | --containing TEXT | --query WORDS | --source SESSION|FILE|TOOL | --since DATE | --until DATE | --everything [--yes]',
  summary: 'Remove something for good: from the log, the notes, the index and the prelude.',
  group: 'What do we know?',
  options: {
    containing: { type: 'string' },
    query: { type: 'string' },
    source: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    everything: { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  needsPerson: 'Forgetting',
  async run(app, given) {
    const request = await requestOf(app, given);
    const place = app.place();
    const parts = app.open({ id: place.project, name: place.name });
    if (!isSet(given, 'yes')) {
      const known = counted(await countForgettable(parts, request));
      if (!(await app.confirm(`Forget ${told(request)}: ${known}? This cannot be undone.`)))
        return {
          value: { events: 0, notes: 0 },
          text: 'Nothing was forgotten.',
          exitCode: 1,
        };
    }
    const done = await forget(parts, request, app.context(place));
    const text =
      done.events + done.notes === 0
        ? 'Nothing here is meant by that.'
        : `Forgotten: ${counted(done)}. The agent's own transcript still has its copy.`;
    const isBuried = readBuried(parts.log, parts.device);
    const left = readRepoNotes(place.root, () => {}).filter(({ note }) => isBuried(note));
    const remark = left.map(
      ({ path }) => `\n${path} in the repository still holds it: backstory unshare ${path}`,
    );
    const leftInRepository = left.map(({ path }) => path);
    return {
      value: { ...done, ...(left.length === 0 ? {} : { leftInRepository }) },
      text: text + remark.join(''),
    };
  },
};

const counted = ({ events, notes }: Forgotten): string =>
  `${events} event${events === 1 ? '' : 's'}, ${notes} note${notes === 1 ? '' : 's'}`;

const minLength = 3;

async function requestOf(app: App, given: Given): Promise<ForgetRequest> {
  const opened = await Promise.all(given.positionals.map((id) => openHere(app, id)));
  const ids = opened.map((item) => (item.kind === 'note' ? item.note.id : item.event.id));
  const [containing, words, source] = ['containing', 'query', 'source'].map((name) => stringOf(given, name));
  for (const text of [containing, words, source]) {
    if (text !== undefined && text.trim().length < minLength) throw asking();
  }
  const [since, until] = ['since', 'until'].map((name) => {
    const time = stringOf(given, name);
    return time === undefined ? undefined : momentOf(time, app.clock.now());
  });
  const request: ForgetRequest = {
    ids,
    ...(containing === undefined ? {} : { containing }),
    ...(words === undefined ? {} : { words }),
    ...(source === undefined ? {} : { source: (await sessionHere(app, source)) ?? source }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(isSet(given, 'everything') ? { everything: true as const } : {}),
  };
  if (ids.length === 0 && Object.keys(request).length === 1) throw asking();
  return request;
}

const asking = (): AppError =>
  new AppError(
    'INVALID_ARGUMENT',
    'forget what? Give an id, or --containing, --query or --source with at least three letters',
    { hint: 'backstory forget 3fa9c1d2' },
  );

function sessionHere(app: App, name: string): Promise<string | undefined> {
  const place = app.place();
  return agentSessionNamed(app.open({ id: place.project, name: place.name }), name);
}

function told(request: ForgetRequest): string {
  const { ids, containing, words, source, since, until, everything } = request;
  if (everything === true) return 'everything that is known of this project';
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return [
    ...(ids.length === 0 ? [] : [`${ids.length} item${ids.length === 1 ? '' : 's'}`]),
    ...(containing === undefined ? [] : [`everything with "${containing}"`]),
    ...(words === undefined ? [] : [`everything with all of the words "${words}"`]),
    ...(source === undefined ? [] : [`everything from ${source}`]),
    ...(since === undefined && until === undefined
      ? []
      : [
          `everything${since === undefined ? '' : ` from ${day(since)} on`}${until === undefined ? '' : ` before ${day(until)}`}`,
        ]),
  ].join(' and ');
}
