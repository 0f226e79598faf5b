import {
  asked,
  type Done,
  named,
  type OperatorOptions,
  type OperatorParts,
  orgOf,
  roleOf,
} from '../operate/operate.ts';
import type { DomainRule, PeopleOperation } from '../store/team-people.ts';

/** Which account of the sign-in provider is whose. */

const address = /^[^\s@]{1,64}@[a-z0-9.-]{1,253}$/;
const domainName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** What `member add` says of an account; says in words what was done, or nothing where none was named. */
export async function linkAccount(
  people: PeopleOperation,
  org: string,
  principal: string,
  { email, subject, issuer }: OperatorOptions,
): Promise<string> {
  if (subject !== undefined || issuer !== undefined) {
    if (subject === undefined || issuer === undefined || email !== undefined)
      throw asked('member add NAME --email ADDRESS, or: member add NAME --issuer URL --subject SUBJECT');
    await people.link(org, principal, { issuer, subject });
    return `, signs in as ${subject}`;
  }
  if (email === undefined) return '';
  const small = email.trim().toLowerCase();
  if (!address.test(small)) throw asked('--email takes an address such as ann@example.org');
  await people.link(org, principal, { email: small });
  return `, signs in as ${small}`;
}

export async function domainCommand(
  { operation, people }: OperatorParts,
  [verb, typed]: string[],
  options: OperatorOptions,
): Promise<Done> {
  const org = await orgOf(operation, options);
  if (verb === undefined || verb === 'list') {
    const domains = await people.domains(org);
    return {
      value: { domains },
      text: domains.map(told).join('\n') || 'Only people who were added may sign in',
    };
  }
  const domain = typed?.trim().toLowerCase().replace(/^@/, '') ?? '';
  if ((verb !== 'add' && verb !== 'remove') || !domainName.test(domain))
    throw asked('domain add example.org [--project PROJECT --role reader], or: domain remove example.org');
  if (verb === 'remove') {
    const removed = await people.refuseDomain(org, domain);
    return { value: { domain, removed }, text: `Nobody new of ${domain} may sign in; who is in stays in` };
  }
  const project =
    options.project === undefined ? null : named(await operation.projects(org), options.project, 'project');
  const rule = { domain, project, role: roleOf(options.role ?? 'reader') };
  await people.allowDomain(org, rule);
  return { value: rule, text: told(rule) };
}

const told = ({ domain, project, role }: DomainRule): string =>
  `Who has a verified address at ${domain} may sign in, ${project === null ? 'of no project yet' : `${role} of ${project}`}`;
