import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ownFileEditor } from './own-file.ts';
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

/** The line at the end of each installed skill file. Users and editors may add lines after it. */
const ownMark = '<!-- Put here by `backstory install`; `backstory uninstall` takes it away. -->';

export const skillEditor = ({ folder, command }: Skill): SettingsEditor =>
  ownFileEditor(
    ownMark,
    (file) => {
      const name = skillFiles.find((each) => file.endsWith(sep + each)) ?? '';
      const text = readFileSync(join(folder, name), 'utf8');
      const known = command === 'backstory' ? '' : `; if the shell does not know it: \`${command}\``;
      return `${text.replace(/^Command: `backstory`$/m, (line) => line + known)}\n${ownMark}\n`;
    },
    'or install without the skill: add --surface mcp',
  );
