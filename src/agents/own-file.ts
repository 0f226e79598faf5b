import { AppError } from '../base/errors.ts';
import type { SettingsEditor } from './setup.ts';

/**
 * Edits a file that only Backstory writes, which `mark` shows. It is removed as a whole, even if the user changed it.
 * `otherwise` completes the hint for a file of somebody else.
 */
export const ownFileEditor = (
  mark: string,
  textOf: (file: string) => string,
  otherwise = 'and run the command again',
): SettingsEditor => ({
  add(text, file) {
    if (text !== '' && !text.includes(mark))
      throw new AppError(
        'CONFIG_WRITE_FAILED',
        `${file} was not created by Backstory, so nothing was changed`,
        {
          hint: `Move or rename ${file} ${otherwise}`,
        },
      );
    const ours = textOf(file);
    return { text: ours, undo: [{ offset: 0, length: ours.length, content: '' }] };
  },
  remove: (text) => ({ text: text.includes(mark) ? '' : text, undo: [] }),
  has: (text, file) => text === textOf(file),
  containers: () => [],
});
