// Runs a Backstory program in this process: `node with-usage.cjs PROGRAM ARGUMENTS…`. When the program ends, this writes
// its CPU time with that of the programs that it waited for, and its peak memory. `--require` cannot be used, because Node
// then reads package.json of the working directory, which may be /dev/zero here.
const { readFileSync, writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');

/** The kernel counts the time of children in hundredths of a second. */
function childrenMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    // Only Linux has this counter.
    return 0;
  }
}

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000 + childrenMs();
  writeFileSync(process.env.BACKSTORY_EVAL_USAGE, JSON.stringify({ cpuMs, kb: maxRSS }));
});
process.argv.splice(1, 1);
const program = process.argv[1];
if (program.endsWith('.cjs')) require(program);
else import(pathToFileURL(program).href);
