import { AppError } from '../../base/errors.ts';
import { type Done, named, type OperatorOptions, type OperatorParts, orgOf } from '../operate/operate.ts';
import { type WebhookKind, webhookKinds } from '../store/team-sources.ts';
import { isWebhookSecret, makeWebhookSecret } from './webhook-signature.ts';

/** Where a forge may tell of a project's issues; its secret is shown when it is made, and never again. */
export async function webhookCommand(
  { operation }: OperatorParts,
  [verb = 'list', name]: string[],
  options: OperatorOptions,
): Promise<Done> {
  const org = await orgOf(operation, options);
  if (verb === 'list') {
    const webhooks = await operation.webhooks(org);
    const lines = webhooks.map(
      ({ id, kind, project, lastUsed }) =>
        `${id}  ${kind.padEnd(6)}  ${project}  ${lastUsed === null ? 'never used' : `used ${lastUsed}`}`,
    );
    return { value: { webhooks }, text: lines.join('\n') || 'There is no webhook yet' };
  }
  if (verb === 'add' && name !== undefined) {
    const kind = kindOf(options.from);
    const project = named(await operation.projects(org), name, 'project');
    const secret = options.secret ?? makeWebhookSecret();
    if (!isWebhookSecret(kind, secret)) throw weak(kind);
    const id = await operation.createWebhook(org, project, { kind, secret, label: '' });
    const path = `/api/webhooks/${id}`;
    return {
      value: { webhook: id, project, kind, path, ...(options.secret === undefined ? { secret } : {}) },
      text: [
        `Address  https://YOUR-SERVER${path}`,
        ...(options.secret === undefined ? [`Secret, shown this once: ${secret}`] : []),
        '',
        setUp[kind],
      ].join('\n'),
    };
  }
  if (verb !== 'remove' || name === undefined) throw asked();
  if (!(await operation.removeWebhook(org, name)))
    throw new AppError('NOT_FOUND', 'there is no such webhook', { hint: 'backstory team webhook list' });
  return { value: { webhook: name, removed: true }, text: 'Nothing is taken from it any more' };
}

const setUp: Record<WebhookKind, string> = {
  github:
    'GitHub: Settings, Webhooks, content type application/json; events Issues, Issue comments, and Pull requests if you like.',
  gitlab:
    'GitLab: Settings, Webhooks; the secret as signing token (19.0 or newer), else as secret token; triggers Issues, Comments, and Merge requests if you like.',
  signed:
    'Any program: sign as Standard Webhooks says, the body as POST /api/projects/:id/lifecycle takes it; docs/guides/team-sources.md.',
};

function kindOf(from: string | undefined): WebhookKind {
  const kind = webhookKinds.find((one) => one === from);
  if (kind === undefined) throw asked();
  return kind;
}

const weak = (kind: WebhookKind): AppError =>
  new AppError('INVALID_ARGUMENT', 'this secret cannot be used', {
    hint: kind === 'github' ? 'At least 32 letters' : 'whsec_ and at least 24 random bytes in base64',
  });

const asked = (): AppError =>
  new AppError('INVALID_ARGUMENT', 'that cannot be done', {
    hint: `backstory team webhook add PROJECT --from ${webhookKinds.join('|')}, or: webhook list, webhook remove ID`,
  });
