/** Values of unknown shape: a missing one, or one of another type, becomes the empty value of its type. */
export type Json = Record<string, unknown>;

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const record = (value: unknown): Json => (isObject(value) ? value : {});

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const whole = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) ? value : 0;

/** Parses a JSON object; returns undefined for anything else, so that callers can skip a damaged record. */
export function parseObject(source: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The object in the answer of a model, which may have words or a code fence around it. */
export const objectIn = (answer: string): Json | undefined =>
  parseObject(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
