import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { SettingsEditor } from './settings.ts';

/** A skill is a folder of text that an agent reads when a question asks for it; ours is copied file by file. */
export interface Skill {
  /** Where our own lies. */
  folder: string;
  /** How a shell calls us, should it not know our name. */
  command: string;
}

const operations = [
  'observations',
  'sessions',
  'prompts',
  'by-type',
  'by-concept',
  'by-file',
  'recent-context',
  'timeline',
  'timeline-by-query',
  'help',
  'formatting',
  'common-workflows',
];

export const skillFiles = ['SKILL.md', ...operations.map((name) => join('operations', `${name}.md`))];

/** At the end, where it costs a reader least. */
const ownMark = '<!-- Put here by `backstory install`; `backstory uninstall` takes it away. -->';

/** Wherever it stands by now: people write below it, and editors change how a file ends. */
const isOurs = (text: string): boolean => text.includes(ownMark);

export function skillEditor({ folder, command }: Skill): SettingsEditor {
  const textFor = (file: string): string => {
    const name = skillFiles.find((each) => file.endsWith(sep + each)) ?? '';
    const text = readFileSync(join(folder, name), 'utf8');
    const known = command === 'backstory' ? '' : `; if the shell does not know it: \`${command}\``;
    return `${text.replace(/^Command: `backstory`$/m, (line) => line + known)}\n${ownMark}\n`;
  };
  return {
    add(text, file) {
      if (text !== '' && !isOurs(text)) {
        throw new AppError('CONFIG_WRITE_FAILED', `${file} is somebody else's, so nothing was changed`, {
          hint: `move ${file} away, or give --surface mcp`,
        });
      }
      const ours = textFor(file);
      return { text: ours, undo: [{ offset: 0, length: ours.length, content: '' }] };
    },
    // Whatever was changed in it, a file of ours goes as a whole.
    remove: (text) => ({ text: isOurs(text) ? '' : text, undo: [] }),
    has: (text, file) => text === textFor(file),
    containers: () => [],
  };
}
