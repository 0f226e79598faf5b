import type { CodeFiles, CodeLineMatches, Definitions } from '../src/wire/answers/code.ts';
import type { FilePage, FileStory, WorkedFiles } from '../src/wire/answers/file-page.ts';
import type {
  Correction,
  CreatedNote,
  DecidedNotes,
  Forgettable,
  Forgotten,
  Hit,
  Note,
  RecallPage,
  ReviewDesk,
  Today,
  TopicList,
  TopicPage,
  UndoneDecisions,
} from '../src/wire/answers/memory.ts';
import type {
  Health,
  NextSteps,
  Overview,
  ProjectList,
  Rejected,
  Spend,
  Stats,
  UsageReport,
} from '../src/wire/answers/project.ts';
import type {
  Activity,
  EditDiff,
  EventView,
  OpenedNote,
  SessionDigestPage,
  SessionStory,
} from '../src/wire/answers/sessions.ts';
import { isAttended } from './attended.ts';
import { ApiFailure } from './failure.ts';
import { type DayRange, timesOf } from './parts/asked-day.ts';
import { chosenProject } from './project.ts';
import { callerOf, filled, lasting } from './request.ts';

// How the viewer reaches the local server. It exits when it is idle, so a failed request usually means that it has
// exited.
const call = callerOf({
  away: new ApiFailure('ENDED', 'Backstory is no longer running.', 'backstory ui'),
  hintFor: (status) => (status === 401 ? 'backstory ui' : 'backstory doctor'),
  headers: () => (isAttended() ? {} : { 'x-backstory-unattended': '1' }),
});

const inProject = (params: object) => ({ ...params, project: chosenProject.value || undefined });

/** Asks about the chosen project. */
const ask = <Answer>(operation: `GET ${string}`, params: object = {}): Promise<Answer> =>
  call(operation, inProject(filled(params)));

const change = <Answer>(
  operation: `${'POST' | 'PATCH' | 'DELETE'} ${string}`,
  params: object,
): Promise<Answer> => call(operation, inProject(params), lasting);

/** One page of a list. */
interface PageQuery {
  agent?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit?: number;
  cursor?: string | undefined;
}

export interface SearchFilter extends PageQuery {
  kind?: string | undefined;
  file?: string | undefined;
}

interface TopicQuery extends PageQuery {
  words: string;
  list?: TopicList;
}

/** A hit as far as the viewer shows it. The whole text is on the page of the hit. */
export type ShownHit = Omit<Hit, 'text'>;

/** An answer of recall with the question. */
export type Answer<H extends ShownHit = ShownHit> = Omit<RecallPage, 'items'> & { items: H[]; asked: string };

/** The note and the revision that the user saw. The server rejects a decision if the note has changed since. */
type SeenRevision = Pick<Note, 'id'> & { rev?: number };

/** Loads the first pages of a list and joins them. */
async function joined<Page extends { items: unknown[]; nextCursor?: string | undefined }>(
  pages: number,
  load: (query: PageQuery) => Promise<Page>,
): Promise<Page> {
  const first = await load({ limit: 100 });
  const items = [...first.items];
  let cursor = first.nextCursor;
  for (let page = 1; page < pages && cursor !== undefined; page++) {
    const next = await load({ limit: 100, cursor });
    items.push(...next.items);
    cursor = next.nextCursor;
  }
  return { ...first, items, nextCursor: cursor };
}

const maxSessionPages = 5;

/** Revisions of notes whose decision was taken back: the page may still show the revision before. */
const restored = new Map<string, number>();
const seenRevision = ({ id, rev }: SeenRevision): SeenRevision =>
  rev === undefined ? { id } : { id, rev: Math.max(rev, restored.get(id) ?? 0) };

/** All API requests of the viewer. The link that opened the viewer has signed the browser in. */
export const api = {
  projects: () => call<ProjectList>('GET /api/v1/projects'),
  overview: () => ask<Overview>('GET /api/v1/viewer/overview'),
  nextSteps: () => ask<NextSteps>('GET /api/v1/viewer/next-steps'),
  today: () => ask<Today>('GET /api/v1/viewer/today'),
  activity: () => ask<Activity>('GET /api/v1/viewer/activity'),
  timeline: (params: PageQuery) => ask<SessionDigestPage>('GET /api/v1/agent-sessions', params),
  /** All agent sessions that worked in a range of days. If there are more than 500, `total` says how many. */
  sessionsOf: async (days: DayRange, agent = ''): Promise<SessionDigestPage> => {
    const range = { agent, ...timesOf(days) };
    const { items, total } = await joined(maxSessionPages, (page) => api.timeline({ ...range, ...page }));
    return { items, total };
  },
  session: (id: string) => ask<SessionStory>('GET /api/v1/agent-sessions/{id}', { id }),
  recall: async (query: string, filter: SearchFilter & { checkCode?: boolean }): Promise<Answer<Hit>> => ({
    ...(await ask<RecallPage>('GET /api/v1/recall', { query, ...filter })),
    asked: query,
  }),
  note: (id: string) => ask<OpenedNote>('GET /api/v1/notes/{id}', { id }),
  event: (id: string) => ask<EventView>('GET /api/v1/viewer/events/{id}', { id }),
  /** A file, now or as of a commit. */
  file: (path: string, commit: string) => ask<FilePage>('GET /api/v1/viewer/file', { path, commit }),
  fileStory: (path: string, commit: string) =>
    ask<FileStory>('GET /api/v1/viewer/file/story', { path, commit }),
  files: (query: string, limit: number) => ask<CodeFiles>('GET /api/v1/code/files', { query, limit }),
  workedFiles: () => ask<WorkedFiles>('GET /api/v1/viewer/files'),
  /** Lines of code that contain a text. */
  code: (query: string, limit: number) =>
    ask<CodeLineMatches>('GET /api/v1/code/search', { query, limit, mode: 'literal', ignoreCase: true }),
  definitions: (name: string, limit: number) =>
    ask<Definitions>('GET /api/v1/code/definition', { name, limit }),
  diff: (id: string) => ask<EditDiff>('GET /api/v1/viewer/events/{id}/diff', { id }),
  inbox: (pages: number) => joined(pages, (page) => ask<ReviewDesk>('GET /api/v1/review', page)),
  accept: (seen: SeenRevision, against?: SeenRevision) =>
    change<Note>('POST /api/v1/notes/{id}/accept', { ...seenRevision(seen), against: against?.id }),
  reject: (seen: SeenRevision) => change<Rejected>('POST /api/v1/notes/{id}/reject', seenRevision(seen)),
  /** Accepts or rejects several notes. Throws if one of them has changed since; the others are decided. */
  decideAll: async (verb: 'accept' | 'reject', seen: SeenRevision[]): Promise<void> => {
    const notes = seen.map(seenRevision);
    const { changed } = await change<DecidedNotes>(`POST /api/v1/review/${verb}`, { notes });
    if (changed.length > 0) throw new ApiFailure('CONFLICT', 'Some notes have changed', '');
  },
  /** Takes back the last decisions on these notes. Throws if one of them has changed since. */
  undo: async (ids: string[]): Promise<void> => {
    const { notes, changed } = await change<UndoneDecisions>('POST /api/v1/review/undo', { ids });
    for (const { id, rev } of notes) restored.set(id, rev);
    if (changed.length > 0) throw new ApiFailure('CONFLICT', 'Some notes have changed', '');
  },
  topics: (params: TopicQuery) => ask<TopicPage>('GET /api/v1/viewer/topics', params),
  create: async (text: string, kind: string): Promise<string> => {
    const { trust, redaction = '' } = await change<CreatedNote>('POST /api/v1/notes', { text, kind });
    return `${trust >= 2 ? 'Saved.' : 'Saved; it waits for review.'} ${redaction}`;
  },
  forgettable: (id: string) => ask<Forgettable>('GET /api/v1/viewer/notes/{id}/forget', { id }),
  forget: (id: string) => change<Forgotten>('DELETE /api/v1/notes/{id}', { id }),
  /** Withdraws a note, or replaces it if `now` is not empty. */
  wrong: ({ id, rev }: SeenRevision, now: string) =>
    change<Correction>('POST /api/v1/notes/{id}/wrong', { id, rev, now: now || undefined }),
  edit: (seen: SeenRevision, text: string) =>
    change<Note>('PATCH /api/v1/notes/{id}', { ...seenRevision(seen), text }),
  pin: ({ id, rev }: SeenRevision, isOn: boolean) =>
    change<Note>(`POST /api/v1/notes/{id}/${isOn ? 'pin' : 'unpin'}`, { id, rev }),
  share: ({ id, rev }: SeenRevision, isOn: boolean) =>
    change<Note>(`POST /api/v1/notes/{id}/${isOn ? 'share' : 'unshare'}`, { id, rev }),
  /** Keeps a note out of what sessions of this project are told, or tells it again. */
  reopen: ({ id, rev }: SeenRevision) => change<Note>('POST /api/v1/notes/{id}/reopen', { id, rev }),
  mute: ({ id, rev }: SeenRevision, isOn: boolean) =>
    change<Note>(`POST /api/v1/notes/{id}/${isOn ? 'mute' : 'unmute'}`, { id, rev }),
  /** Keeps a line that tells no note out of what sessions are told, or tells it again. */
  muteLine: (line: string, isMuted: boolean) =>
    change<{ line: string }>('POST /api/v1/prelude/mute', { line, isMuted }),
  usage: (days: number) => ask<UsageReport>('GET /api/v1/usage', { days }),
  stats: (days: number) => ask<Stats>('GET /api/v1/stats', { days }),
  spend: (days: number) => call<Spend>('GET /api/v1/spend', { days }),
  health: () => ask<Health>('GET /api/v1/health'),
};
