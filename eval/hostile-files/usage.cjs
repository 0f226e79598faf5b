// Preloaded into the program under test: says what it cost when it ends, however it ends by itself.
process.on('exit', () => {
  const { maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.BACKSTORY_EVAL_USAGE, String(maxRSS));
});
