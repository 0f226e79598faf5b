/**
 * Starts vitest on the Windows build of Node, with the git of git-client.c on PATH. Temporary folders are on drive Z:,
 * whose paths git-server.ts sees under the same names. scripts/windows.sh runs it.
 */
process.env.PATH = `Z:\\opt\\programs;${process.env.PATH}`;
process.env.TEMP = 'Z:\\tmp';
process.env.TMP = 'Z:\\tmp';
await import('../../node_modules/vitest/vitest.mjs');
