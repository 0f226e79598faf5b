import type { AuditEntry } from '../store/team-people.ts';
import { type Command, orgOf, usageError } from './operator-commands.ts';

const defaultDays = 30;

/** Prints the audit log, oldest entry first. No command changes or deletes entries. */
export const auditCommand: Command = async ({ operation, now }, _words, options) => {
  const org = await orgOf(operation, options);
  const since = sinceOf(options.since ?? `${defaultDays}d`, now);
  const entries = await operation.audit(org, since);
  return {
    value: { since, entries },
    text: entries.map(formatEntry).join('\n') || 'The audit log has no entries since then',
  };
};

/** Reads a number of days such as `30d`, or an ISO 8601 date or time. */
function sinceOf(text: string, now: number): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at = days === undefined ? Date.parse(text) : now - Number(days) * 86_400_000;
  if (Number.isNaN(at))
    throw usageError('--since takes a number of days such as 30d, or a day such as 2026-01-31');
  return new Date(at).toISOString();
}

const formatEntry = ({ at, who, action, subject, project, detail }: AuditEntry): string =>
  [
    at,
    actorName(who),
    action,
    subject,
    project ?? '',
    Object.keys(detail).length > 0 ? JSON.stringify(detail) : '',
  ]
    .filter((part) => part !== '')
    .join('  ');

const actorName = (who: AuditEntry['who']): string => {
  if (who === null) return 'operator';
  return who.kind === 'device' ? `${who.person} (${who.name})` : who.name;
};
