import { AppError } from '../base/errors.ts';
import { readJson, removeIfThere, writeJson } from '../base/files.ts';
import type { HomePaths } from '../base/paths.ts';
import type { TrustedMember } from '../memory/team-cache.ts';

/** The team that a project of this machine has joined. Tokens are stored separately, one per server. */
export interface Membership {
  v: 1;
  url: string;
  /** Project id on the server. */
  project: string;
  name: string;
  /** Set while finished sessions are reported to the team as jobs: since when. */
  reportsSince?: string;
  /** Members whose issues and comments first prompts may quote. */
  trusted?: TrustedMember[];
}

type Tokens = Record<string, string>;

/** Returns the project's team; undefined if it has not joined one. Then no code in `remote/` sends a request. */
export function membershipOf(paths: HomePaths, project: string): Membership | undefined {
  const membership = readJson<Membership>(paths.project(project).team);
  return membership?.v === 1 ? membership : undefined;
}

export const tokenFor = ({ teamTokens }: HomePaths, url: string): string | undefined =>
  readJson<Tokens>(teamTokens)?.[url];

export const keepToken = ({ teamTokens }: HomePaths, url: string, token: string): void =>
  writeJson(teamTokens, { ...readJson<Tokens>(teamTokens), [url]: token });

export function dropToken({ teamTokens }: HomePaths, url: string): void {
  const { [url]: _, ...others } = readJson<Tokens>(teamTokens) ?? {};
  if (Object.keys(others).length === 0) removeIfThere(teamTokens);
  else writeJson(teamTokens, others);
}

export const joinTeam = (paths: HomePaths, project: string, membership: Membership): void =>
  writeJson(paths.project(project).team, membership);

export function leaveTeam(paths: HomePaths, project: string): void {
  const { team, teamSync, teamMemories, teamSilence } = paths.project(project);
  for (const file of [team, teamSync, teamMemories, teamSilence]) removeIfThere(file);
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Normalises the URL of a server. Plain HTTP, which exposes the token, is allowed only with `mayBePlain`. */
export function serverUrl(typed: string, mayBePlain: boolean): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (url === null)
    throw new AppError('INVALID_ARGUMENT', `${typed} is not a server URL`, {
      hint: 'backstory team join https://team.example.org',
    });
  const isPlain = url.protocol === 'http:';
  if (!isPlain && url.protocol !== 'https:')
    throw new AppError('INVALID_ARGUMENT', 'the URL of a team server must start with https://', {
      hint: `https://${url.host}`,
    });
  if (isPlain && !mayBePlain && !loopback.test(url.hostname))
    throw new AppError('INVALID_ARGUMENT', 'http would send your token unencrypted', {
      hint: `https://${url.host}, or --plain-http on a private network`,
    });
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
