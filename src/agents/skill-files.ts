import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { SettingsEditor } from './setup.ts';

/**
 * A skill is a folder of text files that an agent reads on demand. `backstory install` copies Backstory's skills file by
 * file.
 */
export interface Skill {
  /** The folder in Backstory's package from which the skills are copied. */
  folder: string;
  /** The command that starts Backstory if it is not on the PATH. */
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

export const skillFiles = [
  join('backstory', 'SKILL.md'),
  ...operations.map((name) => join('backstory', 'operations', `${name}.md`)),
  join('backstory-learn', 'SKILL.md'),
];

/** The line at the end of each installed skill file. `backstory uninstall` removes only files that contain it. */
const ownMark = '<!-- Put here by `backstory install`; `backstory uninstall` takes it away. -->';

/** Looks for the mark in the whole text and not only at the end, because users and editors may add lines after it. */
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
        throw new AppError(
          'CONFIG_WRITE_FAILED',
          `${file} was not created by Backstory, so nothing was changed`,
          {
            hint: `Move or rename ${file}, or install without the skill: add --surface mcp`,
          },
        );
      }
      const ours = textFor(file);
      return { text: ours, undo: [{ offset: 0, length: ours.length, content: '' }] };
    },
    // Removes the whole file, even if the user changed it.
    remove: (text) => ({ text: isOurs(text) ? '' : text, undo: [] }),
    has: (text, file) => text === textFor(file),
    containers: () => [],
  };
}
