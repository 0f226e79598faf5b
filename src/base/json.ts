/** Reading values of unknown shape: what is missing or of another type becomes the empty value of its kind. */
export type Json = Record<string, unknown>;

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const record = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const whole = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) ? value : 0;

/** The object in a JSON text, or undefined: a damaged record is skipped, never a crash. */
export function parseObject(source: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
