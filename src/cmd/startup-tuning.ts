/**
 * For a command that is done in the time of two blinks, most of which Node would spend on compiling: first every
 * function it meets, the same ones each time, and then again those it meets often, faster code that is hardly
 * run any more. Both are spared here.
 */

/**
 * What Node compiled is kept in our own home, as something derived: it may be deleted at any time, and Node
 * makes it anew whenever the program or Node itself is another one. Only for commands that leave an index behind
 * anyway, and only where something was captured: whoever never let Backstory write finds nothing written.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  // Asked for in this way, because for an import statement Node would list all that such a module has.
  const [{ existsSync }, { homedir }, { sep }, { enableCompileCache }] = [
    process.getBuiltinModule('node:fs'),
    process.getBuiltinModule('node:os'),
    process.getBuiltinModule('node:path'),
    process.getBuiltinModule('node:module'),
  ];
  const home = env.BACKSTORY_HOME || `${homedir()}${sep}.backstory`;
  if (env.BACKSTORY_OFF === '1' || !existsSync(`${home}${sep}projects`)) return;
  // Node makes the folder for everyone to read; nothing under our home is.
  const before = process.umask(0o077);
  enableCompileCache(`${home}${sep}cache${sep}compiled`);
  process.umask(before);
}

let isShort = false;

export function expectShortRun(): void {
  isShort = true;
  setFlags('--no-opt', '--no-maglev');
}

/** When there is more to do after all, such as an index to be brought up to date. */
export function expectLongRun(): void {
  if (isShort) setFlags('--opt', '--maglev');
  isShort = false;
}

function setFlags(...flags: string[]): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of flags) setFlagsFromString(flag);
}
