import { AppError } from '../base/errors.ts';
import { requirePerson } from '../domain/caller.ts';
import { type App, type Command, isSet, type Outcome, optionsOf, type ParsedArgs } from './command.ts';

/** Throws before the command starts if a value is not accepted, or if only a person may run it and none does. */
export async function runCommand(command: Command, app: App, args: ParsedArgs): Promise<Outcome> {
  checkChoices(command, args);
  const action = personOnlyAction(command, args);
  // A person can pipe a token into a command at a terminal.
  if (action !== undefined && !isSetup(command, app, args))
    requirePerson(app.caller(isSet(args, 'token-stdin')), action);
  return command.run(app, args);
}

/** Where an agent has run, it could be the one that wrote or started the script. */
function isSetup({ isForSetup }: Command, app: App, args: ParsedArgs): boolean {
  if (isForSetup !== true || !isSet(args, 'yes') || app.caller().kind !== 'unproven') return false;
  const used = app.usedAgent();
  if (used === undefined) return true;
  throw new AppError('FORBIDDEN', `--yes is for accounts where no agent has run, but there is ${used}.`, {
    hint: 'Run the command yourself in a terminal outside the agent, without --yes',
  });
}

/** Completes "… needs a person". Undefined if anyone may run the command with these arguments. */
export function personOnlyAction({ needsPerson }: Command, args: ParsedArgs): string | undefined {
  return typeof needsPerson === 'function' ? needsPerson(args) : needsPerson;
}

function checkChoices(command: Command, { values }: ParsedArgs): void {
  for (const { name, choices } of optionsOf(command)) {
    const given = values[name];
    if (choices === undefined || given === undefined || choices.includes(String(given))) continue;
    throw new AppError('INVALID_ARGUMENT', `--${name} must be one of ${choices.join(', ')}, not ${given}`, {
      hint: `backstory ${command.name} --help`,
    });
  }
}
