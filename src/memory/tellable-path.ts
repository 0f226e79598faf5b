/** A file may have any name, and one that is a sentence would be read as one: names with spaces are told to nobody unasked. */
export const isTellable = (path: string): boolean => !/\s/.test(path);
