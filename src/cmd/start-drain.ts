/** Detached and without any of our streams, so that nobody waits for it. */
export function startDrain(program: string, project: string, userHome: string): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(process.execPath, [program, '--project', project], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    // Not where the agent works: a folder that is somebody's cwd cannot be removed on Windows.
    cwd: userHome,
  });
  // Without a listener a failed start would end this process with an error.
  child.on('error', () => {});
  child.unref();
}
