import { requirePerson } from '../domain/caller.ts';
import { type App, type Command, isSet, type Outcome, type ParsedArgs } from './command.ts';

/** Runs a command. Throws before it starts if only a person may run it and the caller is not one. */
export async function runCommand(command: Command, app: App, args: ParsedArgs): Promise<Outcome> {
  const action = personOnlyAction(command, args);
  // A person can pipe a token into a command at a terminal.
  if (action !== undefined) requirePerson(app.caller(isSet(args, 'token-stdin')), action);
  return command.run(app, args);
}

/** Completes "… needs a person". Undefined if anyone may run the command with these arguments. */
export function personOnlyAction({ needsPerson }: Command, args: ParsedArgs): string | undefined {
  return typeof needsPerson === 'function' ? needsPerson(args) : needsPerson;
}
