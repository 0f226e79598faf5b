// Runs a program of ours in this process: `node with-usage.cjs PROGRAM ARGUMENTS…`. When it ends by itself, this writes
// down how long it worked or waited for files, without the time it waited for a processor, and how much memory it held.
// Not by `--require`: for that Node reads package.json of the working directory, which here may be /dev/zero.
const { readFileSync, writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');

function delayedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    // Only Linux counts it.
    return 0;
  }
}

const now = () => performance.now() - delayedMs();
const started = now();
process.on('exit', () => {
  const { maxRSS } = process.resourceUsage();
  writeFileSync(process.env.BACKSTORY_EVAL_USAGE, JSON.stringify({ ms: now() - started, kb: maxRSS }));
});
process.argv.splice(1, 1);
const program = process.argv[1];
if (program.endsWith('.cjs')) require(program);
else import(pathToFileURL(program).href);
