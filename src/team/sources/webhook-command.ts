import { AppError } from '../../base/errors.ts';
import { type Command, named, orgOf, usageError } from '../operate/operator-commands.ts';
import { type WebhookKind, webhookKinds } from '../store/team-sources.ts';
import { isWebhookSecret, makeWebhookSecret } from './webhook-signature.ts';

/** Runs `webhook list`, `webhook add` and `webhook remove`. A generated secret is shown only once. */
export const webhookCommand: Command = async ({ operation }, [verb = 'list', name], options) => {
  const org = await orgOf(operation, options);
  if (verb === 'list') {
    const webhooks = await operation.webhooks(org);
    const lines = webhooks.map(
      ({ id, kind, project, lastUsed }) =>
        `${id}  ${kind.padEnd(6)}  ${project}  ${lastUsed === null ? 'never used' : `used ${lastUsed}`}`,
    );
    return {
      value: { webhooks },
      text:
        lines.join('\n') ||
        'There are no webhooks. Add one: backstory team webhook add PROJECT --from github',
    };
  }
  if (verb === 'add' && name !== undefined) {
    const kind = webhookKinds.find((one) => one === options.from);
    if (kind === undefined) throw invalid();
    const project = named(await operation.projects(org), name, 'project');
    const secret = options.secret ?? makeWebhookSecret();
    if (!isWebhookSecret(kind, secret)) throw weak(kind);
    const id = await operation.createWebhook(org, project, { kind, secret });
    const path = `/api/v1/webhooks/${id}`;
    return {
      value: { webhook: id, project, kind, path, ...(options.secret === undefined ? { secret } : {}) },
      text: [
        `Address  https://YOUR-SERVER${path}`,
        ...(options.secret === undefined ? [`Secret (shown only once)  ${secret}`] : []),
        '',
        setUp[kind],
      ].join('\n'),
    };
  }
  if (verb !== 'remove' || name === undefined) throw invalid();
  if (!(await operation.removeWebhook(org, name)))
    throw new AppError('NOT_FOUND', 'there is no such webhook', { hint: 'backstory team webhook list' });
  return {
    value: { webhook: name, removed: true },
    text: 'Webhook removed. Its deliveries are now rejected.',
  };
};

const setUp: Record<WebhookKind, string> = {
  github:
    'In GitHub, open Settings > Webhooks. Choose content type application/json and the events Issues, Issue comments and, optionally, Pull requests, Pull request reviews, Pull request review comments, Pull request review threads and Commit comments.',
  gitlab:
    'In GitLab, open Settings > Webhooks. Enter the secret as signing token (19.0 or newer) or as secret token, and choose the triggers Issues, Comments and, optionally, Merge requests.',
  linear:
    'In Linear, open Settings > API > Webhooks. Choose Issues and Issue comments. Linear generates the secret itself: add the webhook here with it (--secret-stdin), then enter the address in Linear.',
  jira: 'In Jira, open Settings > System > WebHooks. Enter the secret, choose the events of issues and comments, and leave out restricted issues: level is EMPTY.',
  signed:
    'Send the body of POST /api/v1/projects/:id/lifecycle, signed according to Standard Webhooks. See docs/guides/team-sources.md.',
};

const weak = (kind: WebhookKind): AppError =>
  new AppError('INVALID_ARGUMENT', 'the webhook secret is too weak', {
    hint:
      kind === 'gitlab' || kind === 'signed'
        ? 'Use whsec_ followed by at least 24 random bytes in base64'
        : 'Use at least 32 characters',
  });

const invalid = (): AppError =>
  usageError(`webhook add PROJECT --from ${webhookKinds.join('|')}, or: webhook list, webhook remove ID`);
