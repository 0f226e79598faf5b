/** Takes a value and returns its placeholder in the statement: `$1`, `$2` and so on. */
export type Bind = (value: unknown) => string;
