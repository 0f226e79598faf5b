import { readFileSync } from 'node:fs';
import { AppError } from '../base/errors.ts';
import type { AgentName } from '../domain/event.ts';
import type { EditedText } from './json-edit.ts';

/** The commands that a plugin starts, and its agent. Installation writes them into a copy of the plugin's source. */
export interface PluginConstants {
  hook: string[];
  recall: string[];
  agent: AgentName;
}

const ownMark = '// Backstory: ';

function pluginText(source: string, constants: PluginConstants): string {
  const text = readFileSync(source, 'utf8');
  return text.replace(
    /^const (hook|recall|agent)(:[^=]*)? = .*;$/gm,
    (_line, name: keyof PluginConstants, type = '') => {
      return `const ${name}${type} = ${JSON.stringify(constants[name])};`;
    },
  );
}

/** The error for a file of another program or of the user where ours would be. */
export const notOurs = (file: string): AppError =>
  new AppError('CONFIG_WRITE_FAILED', `${file} was not created by Backstory, so nothing was changed`, {
    hint: `Move or rename ${file} and run the command again`,
  });

export function addPlugin(
  text: string,
  file: string,
  source: string,
  constants: PluginConstants,
): EditedText {
  if (text !== '' && !text.startsWith(ownMark)) {
    throw notOurs(file);
  }
  const ours = pluginText(source, constants);
  return { text: ours, undo: [{ offset: 0, length: ours.length, content: '' }] };
}

/** Removes the text of an installed plugin: the whole file, even if the user changed it. */
export const removePlugin = (text: string): EditedText =>
  text.startsWith(ownMark)
    ? { text: '', undo: [{ offset: 0, length: 0, content: text }] }
    : { text, undo: [] };

export const hasPlugin = (text: string, source: string, constants: PluginConstants): boolean =>
  text === pluginText(source, constants);
