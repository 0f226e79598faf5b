/** Removes what a Postgres text column cannot store: U+0000 and unpaired surrogates. */
export const plainText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export const plainTexts = (texts: string[]): string[] => texts.map(plainText);
