/**
 * Characters that turn the order of what follows, or cannot be seen at all, are shown by their number: with them
 * a line of code can be made to read unlike it runs. The marks that right-to-left prose needs stay.
 */
const deceiving = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202d\u202e\u2066-\u2069\ufeff]/g;

export const plainly = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(
      deceiving,
      (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
