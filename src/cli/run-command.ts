import { requirePerson } from '../domain/caller.ts';
import type { App, Command, Given, Outcome } from './command.ts';

/** The only way to run a command: what only a person may do is refused to everybody else, before it begins. */
export async function runCommand(command: Command, app: App, given: Given): Promise<Outcome> {
  const action = actionOfPerson(command, given);
  if (action !== undefined) requirePerson(app.caller(), action);
  return command.run(app, given);
}

/** Completes "… needs a person"; undefined when anybody may run the command in this form. */
export function actionOfPerson({ needsPerson }: Command, given: Given): string | undefined {
  return typeof needsPerson === 'function' ? needsPerson(given) : needsPerson;
}
