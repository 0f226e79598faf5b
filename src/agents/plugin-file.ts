import { readFileSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import type { EditedText } from './json-edit.ts';

/** A plugin is a file of ours in the agent's folder: our source, with the programs it starts written into it. */
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
    throw new AppError('CONFIG_WRITE_FAILED', `${file} is somebody else's, so nothing was changed`, {
      hint: `move ${file} away and run the command again`,
    });
  }
  const ours = pluginText(source, programs);
  return { text: ours, undo: [{ offset: 0, length: ours.length, content: '' }] };
}

/** Whatever was changed in it, a file of ours goes as a whole. */
export const removePlugin = (text: string): EditedText =>
  text.startsWith(ownMark)
    ? { text: '', undo: [{ offset: 0, length: 0, content: text }] }
    : { text, undo: [] };

export const hasPlugin = (text: string, source: string, programs: Programs): boolean =>
  text === pluginText(source, programs);
