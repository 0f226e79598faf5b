// Runs a Backstory program in this process: `node with-usage.cjs PROGRAM ARGUMENTS…`. When the program ends, this writes
// how long it computed or waited for files, without waiting for a CPU, and its peak memory. `--require` cannot be used,
// because Node then reads package.json of the working directory, which may be /dev/zero here.
const { readFileSync, writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');

function delayedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    // Only Linux has this counter.
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
