import { AppError } from '../base/errors.ts';

/**
 * The caller of a command, tool or route. Only a person may approve a memory or weaken a protection, because an agent
 * can be steered by text it has read. A caller that cannot be shown to be a person is not treated as one.
 */
export type Caller =
  /** A person at a terminal that no agent owns, or in the viewer after signing in from such a terminal. */
  | { kind: 'person' }
  /** A command from an agent's shell, or an MCP call. */
  | {
      kind: 'agent';
      agent: string;
      /** Evidence that it is an agent, such as a variable that is set; shown in the error message. */
      sign?: string;
    }
  /** It is unknown who calls: there is no terminal, or only the API token that every program of the user can read. */
  | { kind: 'unproven'; reason: string };

/** Throws FORBIDDEN unless the caller is a person. `action` completes "… needs a person", as in "Pinning a note". */
export function requirePerson(caller: Caller, action: string): void {
  if (caller.kind === 'person') return;
  const reason =
    caller.kind === 'agent'
      ? `this command was started by an agent (${[caller.agent, caller.sign].filter(Boolean).join(': ')})`
      : caller.reason;
  throw new AppError('FORBIDDEN', `${action} needs a person, but ${reason}.`, {
    hint: 'Run the command yourself in a terminal outside the agent, or use the viewer: backstory ui',
  });
}
