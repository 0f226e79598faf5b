import type { ParseArgsConfig, parseArgs } from 'node:util';

export const teamOptions = {
  database: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  connections: { type: 'string' },
  rate: { type: 'string' },
  drain: { type: 'string' },
  org: { type: 'string' },
  project: { type: 'string' },
  role: { type: 'string' },
  scopes: { type: 'string' },
  device: { type: 'string' },
  days: { type: 'string' },
  id: { type: 'string' },
  from: { type: 'string' },
  'secret-stdin': { type: 'boolean' },
  owner: { type: 'boolean' },
  email: { type: 'string' },
  issuer: { type: 'string' },
  subject: { type: 'string' },
  reassign: { type: 'string' },
  erase: { type: 'boolean' },
  also: { type: 'string', multiple: true },
  'keep-mentions': { type: 'boolean' },
  yes: { type: 'boolean' },
  source: { type: 'string' },
  pinned: { type: 'boolean' },
  since: { type: 'string' },
  'public-url': { type: 'string' },
  'trusted-proxy': { type: 'string' },
  'oidc-issuer': { type: 'string' },
  'oidc-client-id': { type: 'string' },
  'after-restore': { type: 'boolean' },
  citus: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

type Values = ReturnType<typeof parseArgs<{ options: typeof teamOptions }>>['values'];

export type TeamOptions = { [Name in keyof Values]?: Values[Name] | undefined };
