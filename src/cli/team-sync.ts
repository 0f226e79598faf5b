import { AppError, messageOf } from '../base/errors.ts';
import { isFromTeam, type Note, shortNoteId } from '../domain/note.ts';
import { drain } from '../memory/drain.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { hasLocalChanges } from '../remote/background-sync.ts';
import { type Membership, membershipOf, tokenFor } from '../remote/membership.ts';
import { isUnreachable, requestServer } from '../remote/request-server.ts';
import { markAs, markShared, teamOf } from '../remote/share-with-team.ts';
import { interactiveBounds, type SyncReport, syncNotes } from '../remote/sync.ts';
import { notesToSend, readState } from '../remote/sync-state.ts';
import type { App, Outcome, ParsedArgs } from './command.ts';
import { notesNamed } from './show.ts';

const timeoutMs = 3_000;

export async function push(app: App, args: ParsedArgs): Promise<Outcome> {
  const here = openTeam(app);
  const chosen = await notesNamed(app, args.positionals);
  const parts = notePartsOf(here.parts, app.context(app.place()));
  for (const note of chosen) await markShared(here.parts, parts, note);
  return syncAndReport(here, chosen);
}

/** Teammates' machines delete the notes with their next sync. Here they stay as private notes. */
export async function takeBack(app: App, args: ParsedArgs): Promise<Outcome> {
  const here = openTeam(app);
  const chosen = await notesNamed(app, args.positionals);
  if (chosen.length === 0)
    throw new AppError('INVALID_ARGUMENT', 'no note given', { hint: 'backstory team take-back NOTE' });
  const known = Object.values(readState(app.paths.project(here.parts.project).teamSync).notes);
  for (const note of chosen) {
    const shared = known.find(({ id }) => id === note.id);
    const isTheirs = shared?.isYours === false;
    if (!isTheirs && (note.visibility === 'team' || shared?.isPushed === true)) continue;
    throw new AppError('INVALID_ARGUMENT', `${shortNoteId(note.id)} was not pushed from this machine`, {
      hint:
        isTheirs || isFromTeam(note)
          ? 'Only its author can take it back, on the machine that pushed it. To delete your copy: backstory forget'
          : 'backstory team status',
    });
  }
  const parts = notePartsOf(here.parts, app.context(app.place()));
  for (const note of chosen) await markAs(parts, note, 'private');
  const { value, text } = await syncAndReport(here, []);
  const { isAway, forgottenThere = 0 } = value as { isAway: boolean; forgottenThere?: number };
  const kept = chosen.length === 1 ? 'The note is' : `${chosen.length} notes are`;
  const there = forgottenThere > 0 ? ' and was removed from the team' : '; the team had no copy';
  return {
    value: { takenBack: chosen.map(({ id }) => id), ...(value as object) },
    text: isAway
      ? `${kept} private here. The team's copy will be removed when the server is reachable.`
      : `${kept} private here${there}.\n${text}`,
  };
}

export const pull = async (app: App): Promise<Outcome> => syncAndReport(openTeam(app), []);

export async function status(app: App): Promise<Outcome> {
  const place = app.place();
  const membership = membershipOf(app.paths, place.project);
  if (membership === undefined)
    return {
      value: { joined: false },
      text: `${place.name} has not joined a team. Nothing is sent.\n${app.style.dim('To join one: backstory team join URL')}`,
    };
  const parts = app.open(place.project);
  const state = readState(app.paths.project(place.project).teamSync);
  const notes = await parts.notes.list();
  const waiting = notesToSend(state, notes);
  const toReview = notes.filter((note) => isFromTeam(note) && note.state === 'candidate');
  const server = await serverState(app, membership);
  const value = {
    joined: true,
    ...membership,
    server,
    lastExchange: state.syncedAt ?? null,
    lastFailure: state.failure ?? null,
    shared: notes.filter(({ visibility }) => visibility === 'team').length,
    queued: waiting.length,
    fromTeam: notes.filter(isFromTeam).length,
    toReview: toReview.length,
  };
  const { style } = app;
  const lines = [
    ['team', `${style.bold(membership.name)} ${style.dim(membership.url)}`],
    ['server', server === 'ok' ? style.good('reachable') : style.bad(server)],
    ['last sync', value.lastExchange ?? 'never'],
    ['shared', `${value.shared} notes, of which ${value.queued} are not sent yet`],
    [
      'from others',
      `${value.fromTeam} notes${value.toReview === 0 ? '' : `, of which ${value.toReview} wait for review: backstory review`}`,
    ],
    ['reports', membership.reportsSince === undefined ? 'off' : `on since ${membership.reportsSince}`],
  ] as const;
  return { value, text: lines.map(([name, text]) => `${style.dim(name.padEnd(13))} ${text}`).join('\n') };
}

type TeamProjectHere = ReturnType<typeof openTeam>;

export function openTeam(app: App) {
  const parts = app.open();
  const membership = teamOf(parts);
  return { app, membership, parts, token: tokenFor(app.paths, membership.url) };
}

/** An unreachable server is no error: the notes are marked already and go out with the next sync. */
async function syncAndReport(
  { app, parts, membership, token }: TeamProjectHere,
  chosen: Note[],
): Promise<Outcome> {
  let report: SyncReport;
  try {
    const ids = chosen.map(({ id }) => id);
    report = await syncNotes({ parts, membership, token, chosen: ids }, interactiveBounds);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const state = readState(app.paths.project(parts.project).teamSync);
    const waiting = notesToSend(state, await parts.notes.list()).length;
    return {
      value: { isAway: true, reason: messageOf(error), chosen: chosen.length, queued: waiting },
      text: `${messageOf(error)}\n${waiting} note${waiting === 1 ? '' : 's'} will be sent when the server is reachable.`,
    };
  }
  if (hasLocalChanges(report)) await drain(parts);
  const counts: [number, string][] = [
    [report.pushed, 'sent'],
    [report.pulled, 'received, to review: backstory review'],
    [report.forgottenHere, `deleted here, because ${namesOf(report.forgottenBy)} deleted them`],
    [report.forgottenThere, 'of yours deleted from the team'],
    [report.conflicts, 'in conflict with the text on the server; both texts are kept: backstory review'],
    [
      report.refused,
      `rejected by the server: ${report.refusals.join(' ').replace(/\.$/, '') || 'too long, invalid or not allowed'}`,
    ],
    [report.unshared, `of yours removed from the team by ${namesOf(report.unsharedBy)}; you keep them`],
    [report.disputed, 'of your disputes sent'],
    [
      report.recorded,
      'of your disputes recorded; teammates are told these notes until somebody else disputes them too, because nobody else disputes five others of yours',
    ],
    [report.disputes, 'with a dispute that was stated or settled: backstory review'],
    [report.memories, 'issues, comments and jobs updated; recall finds them'],
  ];
  const lines = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}.`);
  return { value: { isAway: false, ...report }, text: lines.join('\n') || 'Already in sync.' };
}

/** Nobody is known if a retention period removed a note. */
const namesOf = (names: string[]): string => names.join(', ') || 'the server';

function serverState(app: App, { url }: Membership): Promise<string> {
  const server = { url, token: tokenFor(app.paths, url) };
  return requestServer(server, { method: 'GET', path: '/api/v1/me', timeoutMs }).then(() => 'ok', messageOf);
}
