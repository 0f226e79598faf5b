import { listProjects } from '../memory/projects/projects.ts';
import { acceptDamage, recoverLog } from '../memory/recover-log.ts';
import { type ScanFinding, scanHome, scanProject } from '../memory/scan.ts';
import { type Verification, verify } from '../memory/verify.ts';
import { plural } from '../text/plural.ts';
import type { Style } from '../text/terminal-text.ts';
import type { LogDamage } from '../wire/answers/project.ts';
import { type App, isSet, type Outcome, type ParsedArgs } from './command.ts';
import { formatBytes } from './status.ts';

export async function verifyProject(app: App, args: ParsedArgs): Promise<Outcome> {
  const parts = app.open();
  const done: string[] = [];
  if (isSet(args, 'recover')) {
    done.push(`Wrote ${plural(await recoverLog(parts), 'event')} back to the log.`);
  }
  if (isSet(args, 'accept')) {
    await acceptDamage(parts);
    const adopted = await adoptNotes(parts.notes);
    done.push(`Accepted the log as it is now, and ${plural(adopted, 'note')} edited outside Backstory.`);
  }
  const found = await verify(parts);
  const text = [...done, ...verificationLines(found, app.style)].join('\n');
  return { value: found, text, exitCode: found.ok ? 0 : 1 };
}

/** Accepts notes that were edited outside Backstory: rewrites each file with a new checksum and the same text. */
async function adoptNotes(notes: ReturnType<App['open']>['notes']): Promise<number> {
  let adopted = 0;
  for (const { note, state } of await notes.inspect()) {
    if (note === undefined || note.id === '' || state === 'as-written') continue;
    await notes.put(note);
    adopted += 1;
  }
  return adopted;
}

const maxNamed = 20;

export function damageLines(damage: LogDamage[]): string[] {
  const lines = damage.slice(0, maxNamed).map(({ file, detail }) => `${file}: ${detail}`);
  return damage.length > maxNamed ? [...lines, `and ${damage.length - maxNamed} more`] : lines;
}

export function verificationLines(found: Verification, style: Style): string[] {
  const { log, notes, recoverable } = found;
  const notesIn = (state: string) => notes.filter((note) => note.state === state);
  const lines: string[] = [];
  const fail = (text: string, hint: string) =>
    lines.push(`${style.bad('FAIL')} ${text}`, `     ${style.bold(hint)}`);
  const pass = (text: string) => lines.push(`${style.good('ok  ')} ${text}`);
  if (log.damage.length === 0) {
    const covered =
      log.bytes === 0
        ? ''
        : `, ${formatBytes(log.coveredBytes)} of ${formatBytes(log.bytes)} in the manifest`;
    pass(`Events: ${plural(log.files, 'file')}${covered}`);
  } else {
    const hint =
      recoverable > 0
        ? `backstory doctor --verify --recover writes ${plural(recoverable, 'event')} back from the index`
        : 'the index has no copy; restore the file from a backup, or: backstory doctor --verify --accept';
    fail(`Events: ${damageLines(log.damage).join('\n     ')}`, hint);
  }
  if (log.tornWrites > 0)
    pass(`${plural(log.tornWrites, 'write')} cut off by a crash or a full disk; none had been acknowledged`);
  const unreadable = notesIn('unreadable');
  if (unreadable.length === 0) pass('Notes: all can be read');
  for (const { file, detail } of unreadable)
    fail(`Note ${file}: ${detail ?? 'cannot be read'}`, 'correct or delete the file');
  const foreign = [
    ...notesIn('edited').map(({ file }) => `note ${file} was changed outside Backstory`),
    ...notesIn('unsigned').map(({ file }) => `note ${file} was added outside Backstory`),
  ];
  lines.push(...foreign.slice(0, maxNamed));
  if (foreign.length > maxNamed) lines.push(`     and ${foreign.length - maxNamed} more`);
  if (foreign.length > 0)
    lines.push(`     ${style.bold('if these are your edits: backstory doctor --verify --accept')}`);
  for (const id of found.unreadableSnapshots)
    fail(`Snapshot ${id} cannot be read`, `delete its folder in snapshots/`);
  if (found.unforgotten.length > 0)
    fail(
      `${plural(found.unforgotten.length, 'forgotten event')} still in the log after an interruption`,
      `backstory forget ${found.unforgotten.slice(0, 3).join(' ')}`,
    );
  if (found.unreadableLedgerLines > 0)
    lines.push(`note ${plural(found.unreadableLedgerLines, 'line')} of ledger.jsonl cannot be read`);
  for (const [file, count] of Object.entries(found.fromFuture))
    lines.push(`note ${plural(count, 'event')} in ${file} with a time in the future; treated as new`);
  pass(`Index: ${indexTexts[found.index]}`);
  return lines;
}

const indexTexts: Record<Verification['index'], string> = {
  fits: 'up to date',
  behind: 'not up to date; the next recall or drain updates it',
  missing: 'none; the next recall or drain builds it',
  'of-another-log': 'does not match the log; the next drain rebuilds it',
};

export async function scanMemory(app: App, args: ParsedArgs): Promise<Outcome> {
  const options = { isDryRun: isSet(args, 'dry-run') };
  const here = app.place().project;
  const projects = listProjects(app.paths).filter(
    ({ id, linkedTo }) => linkedTo === undefined && (!isSet(args, 'here') || id === here),
  );
  const findings: ScanFinding[] = [];
  const progress = app.progress('Scanning');
  for (const [at, project] of projects.entries()) {
    progress.update(at, projects.length);
    findings.push(...(await scanProject(app.open(project.id), options)));
  }
  findings.push(...scanHome(app.paths, options));
  progress.end();
  return {
    value: { projects: projects.length, ...options, findings },
    text: findingsText(findings, options),
  };
}

/** Lists the number of secrets by rule and file, never the secrets themselves. */
function findingsText(findings: ScanFinding[], { isDryRun }: { isDryRun: boolean }): string {
  const total = findings.flatMap(({ rules }) => Object.values(rules)).reduce((sum, count) => sum + count, 0);
  if (findings.length === 0) return 'No secrets found.';
  const lines = findings.map(({ file, rules }) => {
    const counts = Object.entries(rules).map(([name, count]) => `${name} ${count}`);
    return `  ${file}: ${counts.join(', ')}`;
  });
  const what = `${plural(total, 'secret')} in ${plural(findings.length, 'file')}`;
  return isDryRun
    ? `Found ${what}:\n${lines.join('\n')}\nNothing was changed. Run backstory doctor --scan to overwrite them.`
    : `Overwrote ${what}:\n${lines.join('\n')}\nThe agents' own transcripts still have their copies. Rotate these secrets.`;
}
