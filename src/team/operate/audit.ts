import type { AuditEntry } from '../store/team-people.ts';
import { asked, type Done, type OperatorOptions, type OperatorParts, orgOf } from './operate.ts';

const defaultDays = 30;
const batchSize = 1_000;

/** Who did what, the oldest first. There is no command that changes or removes any of it. */
export async function auditCommand(
  { operation, people, now }: OperatorParts,
  _words: string[],
  options: OperatorOptions,
): Promise<Done> {
  const org = await orgOf(operation, options);
  const since = sinceOf(options.since ?? `${defaultDays}d`, now);
  const entries: AuditEntry[] = [];
  for (let after = '0'; ; ) {
    const page = await people.audit(org, since, after, batchSize);
    entries.push(...page);
    if (page.length < batchSize) break;
    after = page.at(-1)?.seq ?? after;
  }
  return { value: { since, entries }, text: entries.map(told).join('\n') || 'Nothing was done' };
}

/** `30d`, or a day or time as ISO writes it. */
function sinceOf(text: string, now: number): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at = days === undefined ? Date.parse(text) : now - Number(days) * 86_400_000;
  if (Number.isNaN(at))
    throw asked('--since takes a number of days such as 30d, or a day such as 2026-01-31');
  return new Date(at).toISOString();
}

const told = ({ at, who, action, subject, project, detail }: AuditEntry): string =>
  [
    at,
    whoOf(who),
    action,
    subject,
    project ?? '',
    Object.keys(detail).length > 0 ? JSON.stringify(detail) : '',
  ]
    .filter((part) => part !== '')
    .join('  ');

const whoOf = (who: AuditEntry['who']): string => {
  if (who === undefined) return 'operator';
  return who.kind === 'device' ? `${who.person} (${who.name})` : who.name;
};
