import { basename, dirname } from 'node:path';
import { listCheckoutFolder, readCheckoutText } from '../../base/checkout-file.ts';

/**
 * What was typed of a prompt. Cline replaces `/name` at its start by the text of a workflow or a skill before a hook or
 * a transcript has it, and keeps the name nowhere. So it is found again: the prompt begins with the end of such a file.
 */
export function typedInput(prompt: string, checkout: string): string {
  const words = /<user_input[^>]*>([\s\S]*)<\/user_input>/.exec(prompt)?.[1] ?? prompt;
  const firstLine = words.trimStart().split('\n', 1)[0] ?? '';
  if (checkout === '' || firstLine === '') return words;
  let used = { length: 0, name: '' };
  for (const path of commandFolders.flatMap((folder) => markdownIn(checkout, folder))) {
    const file = (readCheckoutText(checkout, path, maxFileBytes) ?? '').trimEnd();
    // A line of the prompt may go on behind the file's last one.
    const last = file.slice(file.lastIndexOf('\n') + 1);
    const begins = firstLine.startsWith(last) ? last : firstLine;
    for (let at = file.indexOf(begins); at !== -1 && begins !== ''; at = file.indexOf(begins, at + 1)) {
      const length = file.length - at;
      if (length > used.length && words.startsWith(file.slice(at)))
        used = { length, name: commandName(path) };
    }
  }
  return used.length === 0 ? words : `/${used.name}${words.slice(used.length)}`;
}

/** Where a repository has workflows, skills and plugins of Cline. */
const commandFolders = ['.clinerules', '.cline', '.agents', '.claude'];
const maxFileBytes = 1024 * 1024;
const maxEntries = 1_000;
/** As deep as `.cline/plugins/<plugin>/skills/<skill>/SKILL.md`. */
const maxDepth = 5;

function markdownIn(checkout: string, folder: string, depth = 0): string[] {
  return listCheckoutFolder(checkout, folder, maxEntries).flatMap(({ name, kind }) => {
    const path = `${folder}/${name}`;
    if (/\.(?:md|markdown|txt)$/i.test(name)) return [path];
    return kind === 'file' || depth === maxDepth ? [] : markdownIn(checkout, path, depth + 1);
  });
}

const commandName = (path: string): string =>
  basename(path) === 'SKILL.md' ? basename(dirname(path)) : basename(path).replace(/\.\w+$/, '');
