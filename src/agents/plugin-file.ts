import { readFileSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import type { EditedText } from './json-edit.ts';

/** The commands that a plugin starts. Installation writes them into a copy of the plugin's source. */
type Programs = Record<'hook' | 'recall', string[]>;

const ownMark = '// Backstory: ';

function pluginText(source: string, programs: Programs): string {
  const text = readFileSync(source, 'utf8');
  return text.replace(/^const (hook|recall)(:[^=]*)? = .*;$/gm, (_line, name: keyof Programs, type = '') => {
    return `const ${name}${type} = ${JSON.stringify(programs[name])};`;
  });
}

export function addPlugin(text: string, file: string, source: string, programs: Programs): EditedText {
  if (text !== '' && !text.startsWith(ownMark)) {
    throw new AppError(
      'CONFIG_WRITE_FAILED',
      `${file} was not created by Backstory, so nothing was changed`,
      {
        hint: `Move or rename ${file} and run the command again`,
      },
    );
  }
  const ours = pluginText(source, programs);
  return { text: ours, undo: [{ offset: 0, length: ours.length, content: '' }] };
}

/** Removes the text of an installed plugin: the whole file, even if the user changed it. */
export const removePlugin = (text: string): EditedText =>
  text.startsWith(ownMark)
    ? { text: '', undo: [{ offset: 0, length: 0, content: text }] }
    : { text, undo: [] };

export const hasPlugin = (text: string, source: string, programs: Programs): boolean =>
  text === pluginText(source, programs);
