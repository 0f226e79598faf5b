/**
 * Returns a command line for the shell of an agent, with absolute paths. On Windows the paths get forward slashes,
 * because agents run commands with Git Bash or with cmd.exe, depending on what is installed. Both accept them, while
 * Git Bash takes a backslash for an escape. PowerShell prints a quoted path instead of running it, unless it follows
 * `&`.
 */
export function shellCommand(
  words: string[],
  isPowerShellOnWindows = false,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform !== 'win32') return words.map((word) => `"${word}"`).join(' ');
  const quoted = words.map((word) => `"${word.replaceAll('\\', '/')}"`).join(' ');
  return isPowerShellOnWindows ? `& ${quoted}` : quoted;
}
