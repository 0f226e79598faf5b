import type { Encoding } from '../wire/encode-answer.ts';
import generated from './json-encodings.json' with { type: 'json' };

/** The fields that `--json` of each command converts. `npm run docs` generates them from the schemas. */
export const jsonEncodings = generated as Readonly<Record<string, Encoding>>;
