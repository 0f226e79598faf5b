import {
  type Command,
  named,
  type OperatorOptions,
  orgOf,
  roleOf,
  usageError,
} from '../operate/operator-commands.ts';
import type { DomainRule } from '../store/team-people.ts';
import type { TeamOperation } from '../store/team-store.ts';

const address = /^[^\s@]{1,64}@[a-z0-9.-]{1,253}$/;
const domainName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/**
 * Links a person to the account at the sign-in provider that the options of `member add` name. Returns a phrase for the
 * command's output, or an empty string if the options name no account.
 */
export async function linkAccount(
  operation: TeamOperation,
  org: string,
  principal: string,
  { email, subject, issuer }: OperatorOptions,
): Promise<string> {
  if (subject !== undefined || issuer !== undefined) {
    if (subject === undefined || issuer === undefined || email !== undefined)
      throw usageError('member add NAME --email ADDRESS, or: member add NAME --issuer URL --subject SUBJECT');
    await operation.link(org, principal, { issuer, subject });
    return `, signs in as ${subject}`;
  }
  if (email === undefined) return '';
  const normalized = email.trim().toLowerCase();
  if (!address.test(normalized)) throw usageError('--email takes an address such as ann@example.org');
  await operation.link(org, principal, { email: normalized });
  return `, signs in as ${normalized}`;
}

export const domainCommand: Command = async ({ operation }, [verb, typed], options) => {
  const org = await orgOf(operation, options);
  if (verb === undefined || verb === 'list') {
    const domains = await operation.domains(org);
    return {
      value: { domains },
      text: domains.map(describeRule).join('\n') || 'Only people added with `member add` can sign in',
    };
  }
  const domain = typed?.trim().toLowerCase().replace(/^@/, '') ?? '';
  if ((verb !== 'add' && verb !== 'remove') || !domainName.test(domain))
    throw usageError(
      'domain add example.org [--project PROJECT --role reader], or: domain remove example.org',
    );
  if (verb === 'remove') {
    const { length: removed } = await operation.removeDomain(org, domain);
    return {
      value: { domain, removed },
      text: `New people from ${domain} can no longer sign in. Existing members keep their access.`,
    };
  }
  const project =
    options.project === undefined ? null : named(await operation.projects(org), options.project, 'project');
  const rule = { domain, project, role: roleOf(options.role ?? 'reader') };
  await operation.allowDomain(org, rule);
  return { value: rule, text: describeRule(rule) };
};

const describeRule = ({ domain, project, role }: DomainRule): string =>
  `Anyone with a verified address at ${domain} can sign in, ${project === null ? 'without access to a project' : `as ${role} of ${project}`}`;
