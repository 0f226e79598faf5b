/** In the home folder, because Windows cannot delete a folder that is the working folder of a process. */
export const startDrain = (program: string, project: string, userHome: string): void =>
  startProgram(program, ['--project', project], userHome);

export const startProgram = (program: string, args: string[], cwd: string): void =>
  startDetached(process.execPath, [program, ...args], cwd);

/** Starts a program detached and without shared streams, so that the caller can exit. */
export function startDetached(program: string, args: string[], cwd: string): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    cwd,
  });
  // Without a listener, a failed start would crash this process.
  child.on('error', () => {});
  child.unref();
}
