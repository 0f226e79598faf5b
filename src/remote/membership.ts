import { AppError } from '../base/errors.ts';
import { readJson, removeIfThere, writeJson } from '../base/files.ts';
import type { HomePaths } from '../base/paths.ts';

/** Which team a project of this machine belongs to. The token lies apart, one for each server. */
export interface Membership {
  v: 1;
  url: string;
  /** At the server. */
  project: string;
  name: string;
  /** The user has sent this project's knowledge there once, and it follows the team's wishes from then on. */
  bringsKnowledge?: true;
}

type Tokens = Record<string, string>;

/** Undefined unless somebody has joined here; then nothing of this folder does anything. */
export function membershipOf(paths: HomePaths, project: string): Membership | undefined {
  const membership = readJson<Membership>(paths.project(project).team);
  return membership?.v === 1 ? membership : undefined;
}

export const tokenFor = ({ teamTokens }: HomePaths, url: string): string | undefined =>
  readJson<Tokens>(teamTokens)?.[url];

/** Written, like every file of ours, for this user alone. */
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
  removeIfThere(paths.project(project).team);
  removeIfThere(paths.project(project).teamSync);
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** One spelling for each server. A token goes over an open line only if somebody says that it may. */
export function serverUrl(typed: string, mayBePlain: boolean): string {
  let url: URL;
  try {
    url = new URL(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`);
  } catch {
    throw new AppError('INVALID_ARGUMENT', `${typed} is not the address of a server`, {
      hint: 'backstory team join https://team.example.org',
    });
  }
  const isPlain = url.protocol === 'http:';
  if (!isPlain && url.protocol !== 'https:')
    throw new AppError('INVALID_ARGUMENT', 'a team server speaks https', { hint: `https://${url.host}` });
  if (isPlain && !mayBePlain && !loopback.test(url.hostname))
    throw new AppError('INVALID_ARGUMENT', 'over http anybody on the way could read your token', {
      hint: `https://${url.host}, or --plain-http on a network that is yours alone`,
    });
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
