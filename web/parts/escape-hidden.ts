/**
 * Matches control and bidirectional override characters. They are shown by their code point, because they can make a
 * line of code look different from what it does. The marks that right-to-left text needs are not included.
 */
const hiddenCharacters =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202d\u202e\u2066-\u2069\ufeff]/g;

export const escapeHidden = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(
      hiddenCharacters,
      (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
