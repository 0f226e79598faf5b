import { AppError, messageOf } from '../base/errors.ts';
import { isFromTeam, type Note, shortNoteId } from '../domain/note.ts';
import { drain } from '../memory/drain.ts';
import { reviseNote, saveNote } from '../memory/notes/remember.ts';
import { isOwnTheme } from '../memory/notes/theme-note.ts';
import { askServer, isAway } from '../remote/ask-server.ts';
import { hasChangedHere } from '../remote/background-sync.ts';
import { type Membership, membershipOf, tokenFor } from '../remote/membership.ts';
import { patientBounds, type SyncReport, syncNotes } from '../remote/sync.ts';
import { notesToSend, readState, type SharedNote } from '../remote/sync-state.ts';
import type { App, Given, Outcome } from './command.ts';
import { noteParts } from './remember.ts';
import { openHere } from './show.ts';

const timeoutMs = 3_000;

export async function push(app: App, given: Given): Promise<Outcome> {
  const here = openTeam(app);
  const chosen = await notesNamed(app, given);
  const theme = chosen.find(isOwnTheme);
  if (theme !== undefined)
    throw new AppError('INVALID_ARGUMENT', 'this theme is made of your notes, and follows them', {
      hint: `Push its notes, or make it yours first: backstory edit ${shortNoteId(theme.id)}`,
    });
  const gone = chosen.find((note) => sharedAs(here, note)?.isGone === true);
  if (gone !== undefined)
    throw new AppError('CONFLICT', 'this note was taken out of the team, and a removal stays', {
      hint: `Say it anew: backstory remember "…", then backstory team push NOTE`,
    });
  const desk = noteParts(app, here.parts, app.place());
  for (const note of chosen)
    if (note.visibility !== 'team')
      await saveNote(desk, reviseNote(desk, note, { visibility: 'team' }), 'edit');
  return exchanged(here, chosen);
}

/** Off the team and off teammates' laptops, with their next exchange; here it stays, as a private note. */
export async function takeBack(app: App, given: Given): Promise<Outcome> {
  const here = openTeam(app);
  const chosen = await notesNamed(app, given);
  if (chosen.length === 0)
    throw new AppError('INVALID_ARGUMENT', 'which note?', { hint: 'backstory team take-back NOTE' });
  for (const note of chosen) {
    const shared = sharedAs(here, note);
    const isTheirs = shared?.isYours === false;
    if (!isTheirs && (note.visibility === 'team' || shared?.isPushed === true)) continue;
    throw new AppError('INVALID_ARGUMENT', `${shortNoteId(note.id)} did not go up from this machine`, {
      hint:
        isTheirs || isFromTeam(note)
          ? 'Its author takes it back, where they pushed it; backstory forget removes it here alone'
          : 'backstory team status',
    });
  }
  const desk = noteParts(app, here.parts, app.place());
  for (const note of chosen)
    if (note.visibility === 'team')
      await saveNote(desk, reviseNote(desk, note, { visibility: 'private' }), 'edit');
  const { value, text } = await exchanged(here, []);
  const { isAway, forgottenThere = 0 } = value as { isAway: boolean; forgottenThere?: number };
  const kept = chosen.length === 1 ? 'The note is' : `${chosen.length} notes are`;
  const there =
    forgottenThere > 0 ? ', and gone from the team' : '; there was nothing to take back from the team';
  return {
    value: { takenBack: chosen.map(({ id }) => id), ...(value as object) },
    text: isAway
      ? `${kept} private here. The team's copy goes when the server is back.`
      : `${kept} private here${there}.\n${text}`,
  };
}

export const pull = async (app: App): Promise<Outcome> => exchanged(openTeam(app), []);

export async function status(app: App): Promise<Outcome> {
  const place = app.place();
  const membership = membershipOf(app.paths, place.project);
  if (membership === undefined)
    return {
      value: { joined: false },
      text: `${place.name} has joined no team, and nothing is sent anywhere.\n${app.style.dim('backstory team join URL')}`,
    };
  const parts = app.open({ id: place.project, name: place.name });
  const state = readState(app.paths.project(place.project).teamSync);
  const notes = await parts.notes.list();
  const waiting = notesToSend(state, notes);
  const toReview = notes.filter((note) => isFromTeam(note) && note.state === 'candidate');
  const server = await reach(app, membership);
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
    wantsKnowledge: state.wantsKnowledge === true,
  };
  const { style } = app;
  const lines: [string, string][] = [
    ['team', `${style.bold(membership.name)} ${style.dim(membership.url)}`],
    ['server', server === 'ok' ? style.good('answers') : style.bad(server)],
    ['exchanged', value.lastExchange ?? 'never'],
    ['shared', `${value.shared} notes, of which ${value.queued} are still to go up`],
    [
      'from others',
      `${value.fromTeam} notes${value.toReview === 0 ? '' : `, of which ${value.toReview} wait for your word: backstory review`}`,
    ],
  ];
  if (value.wantsKnowledge)
    lines.push(['asks for', 'what this project is, from its files: backstory knowledge sync --fresh']);
  return { value, text: lines.map(([name, text]) => `${style.dim(name.padEnd(13))} ${text}`).join('\n') };
}

async function notesNamed(app: App, { positionals }: Given): Promise<Note[]> {
  const opened = await Promise.all(positionals.map((id) => openHere(app, id)));
  return opened.map((item, at) => {
    if (item.kind === 'note') return item.note;
    throw new AppError('INVALID_ARGUMENT', `${positionals[at]} is not a note, and events never leave`, {
      hint: 'backstory remember "…", then backstory team push NOTE',
    });
  });
}

/** What this machine knows of a note's life at the server. */
const sharedAs = ({ app, parts }: Here, { id }: Note): SharedNote | undefined =>
  Object.values(readState(app.paths.project(parts.project).teamSync).notes).find(
    (shared) => shared.id === id,
  );

interface Here {
  app: App;
  parts: ReturnType<App['open']>;
  membership: Membership;
  token: string | undefined;
}

function openTeam(app: App): Here {
  const place = app.place();
  const membership = membershipOf(app.paths, place.project);
  if (membership === undefined)
    throw new AppError('NOT_INSTALLED', `${place.name} has joined no team`, {
      hint: 'backstory team join https://team.example.org',
    });
  return {
    app,
    membership,
    parts: app.open({ id: place.project, name: place.name }),
    token: tokenFor(app.paths, membership.url),
  };
}

/** Away is not an error: what was chosen waits in its note, and goes up with the next exchange. */
async function exchanged({ app, parts, membership, token }: Here, chosen: Note[]): Promise<Outcome> {
  let report: SyncReport;
  try {
    const ids = chosen.map(({ id }) => id);
    report = await syncNotes({ parts, membership, token, chosen: ids }, patientBounds);
  } catch (error) {
    if (!isAway(error)) throw error;
    const state = readState(app.paths.project(parts.project).teamSync);
    const waiting = notesToSend(state, await parts.notes.list()).length;
    return {
      value: { isAway: true, reason: messageOf(error), chosen: chosen.length, queued: waiting },
      text: `${messageOf(error)}\n${waiting} note${waiting === 1 ? '' : 's'} will go up when the server is back.`,
    };
  }
  if (hasChangedHere(report)) await drain(parts);
  const said: [number, string][] = [
    [report.pushed, 'went up'],
    [report.pulled, 'came down and wait for your word: backstory review'],
    [report.forgottenHere, 'were forgotten by their author and are gone here'],
    [report.forgottenThere, 'of yours were forgotten and are gone from the team'],
    [report.conflicts, 'had been changed by somebody else too; both texts are kept'],
    [report.refused, 'were refused by the server: too long, or not what a note may be'],
    [report.unshared, 'of yours were taken out of the team; you still have them'],
  ];
  const lines = said.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}.`);
  return { value: { isAway: false, ...report }, text: lines.join('\n') || 'Nothing new on either side.' };
}

async function reach(app: App, { url }: Membership): Promise<string> {
  try {
    await askServer({ url, token: tokenFor(app.paths, url) }, { method: 'GET', path: '/api/me', timeoutMs });
    return 'ok';
  } catch (error) {
    return messageOf(error);
  }
}
