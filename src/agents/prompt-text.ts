/** What agents hand over as "the prompt" is not always what somebody typed. */
const notTyped = [
  '<task-notification>',
  '<local-command-',
  '<system-reminder>',
  '<bash-',
  '<environment_context>',
  '<hook_prompt',
];

/** What an editor or the agent puts beside the words: a selection holds whatever stands in a file. */
const notTypedBlock = /<(ide_[a-z_]+|system-reminder)>[\s\S]*?<\/\1>/g;

/**
 * What the user really asked, or undefined when the words are the agent's own bookkeeping. Our prelude is
 * cut out, so that it never comes back as a memory.
 */
export function promptWords(raw: string): string | undefined {
  const words = stripOwnText(raw).replace(notTypedBlock, ' ').trim();
  if (words === '' || notTyped.some((prefix) => words.startsWith(prefix))) return undefined;
  if (!/^<command-(?:name|message)>/.test(words)) return words;
  const name = /<command-name>([^<]*)<\/command-name>/.exec(words)?.[1]?.trim() ?? '';
  const given = /<command-args>([\s\S]*?)<\/command-args>/.exec(words)?.[1]?.trim() ?? '';
  return name === '' ? undefined : `${name} ${given}`.trim();
}

export const stripOwnText = (raw: string): string =>
  raw.includes('<backstory-memory')
    ? raw.replace(/<(backstory-memory[\w-]*)[^>]*>[\s\S]*?(?:<\/\1>|$)/g, '')
    : raw;

/** A bound only: what of an output is worth keeping is decided once it is redacted, in memory/capture/strip-noise.ts. */
const outputTail = 200_000;

/** The end of the output is where test runners and compilers say what went wrong. */
export function endOfOutput(said: string): { output?: string } {
  if (said === '') return {};
  return { output: said.length > outputTail ? `…${said.slice(-outputTail)}` : said };
}
