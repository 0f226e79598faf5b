/**
 * Returns the composed (NFC) and the decomposed (NFD) form of a text; one if they are equal. A file name can have either:
 * macOS lists names in the form they were created with, git there in NFC, and people type NFC. To compare names, try both.
 */
export const unicodeForms = (text: string): string[] => [
  ...new Set([text.normalize('NFC'), text.normalize('NFD')]),
];
