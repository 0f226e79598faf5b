/**
 * Matches blocks that an editor or the agent adds to a prompt, such as the code selected in the editor. They are
 * removed, because a selection can contain any text of a file and would be stored as the user's words.
 */
const untypedBlock = /<(ide_[a-z_]+|system[-_](?:reminder|instruction))>[\s\S]*?<\/\1>/g;

/**
 * Returns the text that the user typed, or undefined if the message is the agent's own bookkeeping. Our prelude is
 * removed, so that it never becomes a memory.
 */
export function typedPrompt(raw: string): string | undefined {
  const words = stripOwnText(raw).replace(untypedBlock, ' ').trim();
  if (words.startsWith('[Request interrupted by user')) return undefined;
  if (!/^<command-(?:name|message)>/.test(words)) return isNotice(words) ? undefined : words;
  const name = /<command-name>([^<]*)<\/command-name>/.exec(words)?.[1]?.trim() ?? '';
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(words)?.[1]?.trim() ?? '';
  return name === '' ? undefined : `${name} ${args}`.trim();
}

/**
 * Whether a message is nothing but elements such as `<task-notification>…</task-notification>`: an agent or a tool wrote
 * it. A person who pastes only markup pastes elements of one word, as in HTML, or types something beside it.
 */
function isNotice(message: string): boolean {
  let rest = message;
  while (rest !== '') {
    const name = /^<([a-z]+[-_][\w-]*)(?:\s[^<>]*)?>/i.exec(rest)?.[1];
    const end = name === undefined ? -1 : rest.indexOf(`</${name}>`);
    if (name === undefined || end === -1) return false;
    // A command file in it may contain the end of the element.
    if (rest.endsWith(`</${name}>`)) return true;
    rest = rest.slice(end + name.length + 3).trimStart();
  }
  return true;
}

export const stripOwnText = (raw: string): string =>
  raw.includes('<backstory-memory')
    ? raw.replace(/<(backstory-memory[\w-]*)[^>]*>[\s\S]*?(?:<\/\1>|$)/g, '')
    : raw;

/**
 * Protects against huge outputs. Which part of an output is worth keeping is decided later, in
 * memory/capture/strip-noise.ts.
 */
const maxOutputLength = 200_000;

/** Keeps the end of an output, where test runners and compilers report errors. What Backstory added is removed. */
export function endOfOutput(output: string): { output?: string } {
  const own = stripOwnText(output);
  if (own === '') return {};
  return { output: own.length > maxOutputLength ? `…${own.slice(-maxOutputLength)}` : own };
}
