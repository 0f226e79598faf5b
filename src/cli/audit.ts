import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { lastUseOf } from '../memory/notes/age-notes.ts';
import { auditNotes, type NoteAudit, type NoteUse } from '../memory/notes/audit-notes.ts';
import { readPrelude } from '../memory/prelude/prelude-file.ts';
import { membershipOf, tokenFor } from '../remote/membership.ts';
import { readState, type SharedNote } from '../remote/sync-state.ts';
import { teamNotes } from '../remote/team-notes.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { type App, type Command, isSet, type Outcome } from './command.ts';
import { wholeNumber } from './filters.ts';

const defaultUnusedDays = 180;
const lineLength = 120;

export const auditCommand: Command = {
  name: 'audit',
  usage: 'audit [--team] [--unused DAYS]',
  summary:
    'Find duplicate, changed and unused notes, with a command to tidy up each. Changes nothing itself.',
  group: 'Inspect',
  options: { team: { type: 'boolean' }, unused: { type: 'string' } },
  async run(app, args) {
    const unusedDays = wholeNumber(args, 'unused') ?? defaultUnusedDays;
    return isSet(args, 'team') ? auditTeam(app) : auditHome(app, unusedDays);
  },
};

/** A finding and the command that a person can run to act on it; null if this machine has none for it. */
interface Proposal {
  keep: Note | undefined;
  others: Note[];
  command: string | null;
}

async function auditHome(app: App, unusedDays: number): Promise<Outcome> {
  const place = app.place();
  const parts = app.open({ id: place.project, name: place.name });
  const notes = await parts.notes.list();
  const reading = parts.access.forReading();
  try {
    const told = new Set(readPrelude(app.paths, place.project)?.lines.map(({ note = '' }) => note) ?? []);
    const use: NoteUse = {
      now: parts.clock.now(),
      unusedDays,
      lastUsed: async (note) => (reading === undefined ? 0 : lastUseOf(reading.index, note)),
      isTold: ({ id }) => told.has(id) || told.has(shortNoteId(id)),
    };
    const audit = await auditNotes(notes, use);
    // Withdrawing keeps the history. Deleting would also refuse the same words in the note that stays.
    const withdraw = (others: Note[]): string =>
      others.map(({ id }) => `backstory wrong ${shortNoteId(id)}`).join(' && ');
    return outcomeOf(app, 'home', notes.length, audit, {
      merge: withdraw,
      drop: ({ id }) => `backstory review --reject ${shortNoteId(id)}`,
    });
  } finally {
    await reading?.index.close();
  }
}

async function auditTeam(app: App): Promise<Outcome> {
  const place = app.place();
  const membership = membershipOf(app.paths, place.project);
  if (membership === undefined)
    throw new AppError('NOT_INSTALLED', `${place.name} has not joined a team`, {
      hint: 'backstory team join https://team.example.org',
    });
  const notes = await teamNotes(membership, tokenFor(app.paths, membership.url));
  const { notes: shared } = readState(app.paths.project(place.project).teamSync);
  const takeBack = (others: Note[]): string | null => {
    const own = others.map(({ id }): SharedNote | undefined => shared[id]);
    return own.every((one) => one?.isYours === true && one.isGone !== true)
      ? `backstory team take-back ${own.map((one) => shortNoteId(one?.id ?? '')).join(' ')}`
      : null;
  };
  // The server does not record who reads a memory, so it is not known which are unused.
  const audit = await auditNotes(notes, undefined);
  return outcomeOf(app, 'team', notes.length, audit, { merge: takeBack, drop: () => null });
}

interface Commands {
  merge(others: Note[]): string | null;
  drop(note: Note): string | null;
}

function outcomeOf(
  app: App,
  store: 'home' | 'team',
  count: number,
  audit: NoteAudit,
  { merge, drop }: Commands,
): Outcome {
  const proposal = ([keep, ...others]: [Note, ...Note[]]): Proposal => ({
    keep,
    others,
    command: merge(others),
  });
  const duplicates = audit.duplicates.map(proposal);
  const changes = audit.changes.map(([earlier, later]) => proposal([later, earlier]));
  const unused = audit.unused.map(({ note, lastUsed }) => ({ note, lastUsed, command: drop(note) }));
  return {
    value: {
      store,
      notes: count,
      duplicates: duplicates.map(proposalValue),
      changes: changes.map(proposalValue),
      unused:
        store === 'team'
          ? null
          : unused.map(({ note, lastUsed, command }) => ({
              note: noteValue(note),
              lastUsed: lastUsed === 0 ? null : isoTime(lastUsed),
              command,
            })),
    },
    text: [
      `${plural(count, 'note')} ${store === 'team' ? 'of the team' : 'of this project'}: ${plural(duplicates.length, 'duplicate')}, ${plural(changes.length, 'possible change')}${store === 'team' ? '' : `, ${unused.length} unused`}.`,
      ...section(app, 'Duplicates: the first stays', duplicates),
      ...section(app, 'Possible changes: the later one stays, if it changed the other', changes),
      ...section(
        app,
        'Unused',
        unused.map(({ note, command }) => ({ keep: undefined, others: [note], command })),
      ),
      ...(store === 'team' ? [app.style.dim('The server does not record which notes are read.')] : []),
    ].join('\n\n'),
  };
}

const maxShown = 50;

function section({ style }: App, title: string, proposals: Proposal[]): string[] {
  if (proposals.length === 0) return [];
  const line = (note: Note): string =>
    `${style.bold(shortNoteId(note.id))} ${style.dim(`${harmlessLine(note.updated, 10)} ${note.kind}`)} ${harmlessLine(note.text, lineLength)}`;
  const shown = proposals.slice(0, maxShown).map(({ keep, others, command }) => {
    const lines = [...(keep === undefined ? [] : [keep]), ...others].map(line);
    return [...lines, style.dim(command ?? 'Its author, or an owner of the project, can remove it.')].join(
      '\n',
    );
  });
  const rest = proposals.length - shown.length;
  return [
    style.bold(title),
    ...shown,
    ...(rest > 0 ? [style.dim(`and ${rest} more: backstory audit --json`)] : []),
  ];
}

const noteValue = ({ id, kind, title, trust, author, updated }: Note) => ({
  id,
  kind,
  title,
  trust,
  author,
  updated,
});

const proposalValue = ({ keep, others, command }: Proposal) => ({
  keep: keep === undefined ? null : noteValue(keep),
  others: others.map(noteValue),
  command,
});
