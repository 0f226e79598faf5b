import { requirePerson } from '../domain/caller.ts';
import type { App, Command, Outcome, ParsedArgs } from './command.ts';

/** Runs a command. Throws before it starts if only a person may run it and the caller is not one. */
export async function runCommand(command: Command, app: App, args: ParsedArgs): Promise<Outcome> {
  const action = personOnlyAction(command, args);
  if (action !== undefined) requirePerson(app.caller(), action);
  return command.run(app, args);
}

/** Completes "… needs a person". Undefined if anyone may run the command with these arguments. */
export function personOnlyAction({ needsPerson }: Command, args: ParsedArgs): string | undefined {
  return typeof needsPerson === 'function' ? needsPerson(args) : needsPerson;
}
