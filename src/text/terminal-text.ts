import { showHidden } from './hidden-characters.ts';

export type Style = ReturnType<typeof createTerminalText>['style'];

/**
 * File names and lines of code may contain terminal escapes, including ones that look like those of `style`. So the
 * codes of `style` contain a secret number until the text is printed, and any escape without it is written out.
 */
export function createTerminalText(hasColour: boolean, secret: number) {
  const code = (number: number): string => `\u001b[${number};${secret}m`;
  const ownCode = new RegExp(String.raw`(\u001b\[(?:0|1|2|31|32|36);${secret}m)`);
  const paint = (number: number) => (text: string) => (hasColour ? code(number) + text + code(0) : text);
  return {
    /** If colour is off, each function returns its text unchanged. */
    style: { bold: paint(1), dim: paint(2), good: paint(32), bad: paint(31), mark: paint(36) },
    /** Writes out hidden characters, except the codes of `style`. `layOut` may break lines of the visible text. */
    render(text: string, layOut: (text: string) => string = (visible) => visible) {
      if (!hasColour) return layOut(showHidden(text));
      // The capture group makes split return our own codes at the odd positions.
      const visible = text.split(ownCode).map((piece, at) => (at % 2 === 0 ? showHidden(piece) : piece));
      return layOut(visible.join('')).replaceAll(`;${secret}m`, 'm');
    },
  };
}
