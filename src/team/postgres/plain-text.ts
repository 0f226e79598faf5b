/** Removes what a Postgres text column cannot store: U+0000 and unpaired surrogates. */
export const plainText = (text: string): string => text.replaceAll('\0', '').toWellFormed();
