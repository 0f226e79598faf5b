/** Text as Postgres can hold it: without U+0000, which no text column takes, and without half characters. */
export const plainText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export const plainTexts = (texts: string[]): string[] => texts.map(plainText);
