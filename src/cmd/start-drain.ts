/** Not where the agent works: a folder that is somebody's cwd cannot be removed on Windows. */
export const startDrain = (program: string, project: string, userHome: string): void =>
  startProgram(program, ['--project', project], userHome);

/** Detached and without any of our streams, so that nobody waits for it. */
export function startProgram(program: string, args: string[], cwd: string): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(process.execPath, [program, ...args], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    cwd,
  });
  // Without a listener a failed start would end this process with an error.
  child.on('error', () => {});
  child.unref();
}
