import { showHidden } from './hidden-characters.ts';

/** Colours and weights for people; without colour each gives its text back. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  /** For what was searched for. */
  mark(text: string): string;
}

/** Text on its way to a terminal. */
export interface TerminalText {
  style: Style;
  /**
   * The text with every control and hidden character written out, except the codes that `style` put there. `layOut`
   * sees it as it will be shown and may break its lines.
   */
  render(text: string, layOut?: (text: string) => string): string;
}

/**
 * Names of files and lines of code may hold terminal escapes, also ones that look like ours. So our codes carry a number
 * that nobody else knows until the text is printed: an escape without it is written out.
 */
export function createTerminalText(hasColour: boolean, secret: number): TerminalText {
  const code = (number: number): string => `\u001b[${number};${secret}m`;
  const ownCode = new RegExp(String.raw`(\u001b\[(?:0|1|2|31|32|36);${secret}m)`);
  const paint = (number: number) => (text: string) => (hasColour ? code(number) + text + code(0) : text);
  return {
    style: { bold: paint(1), dim: paint(2), good: paint(32), bad: paint(31), mark: paint(36) },
    render(text, layOut = (visible) => visible) {
      if (!hasColour) return layOut(showHidden(text));
      // Every second piece is a code of ours, because the pattern captures it.
      const visible = text.split(ownCode).map((piece, at) => (at % 2 === 0 ? showHidden(piece) : piece));
      return layOut(visible.join('')).replaceAll(`;${secret}m`, 'm');
    },
  };
}
