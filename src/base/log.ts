/** Structured lines for people and programs; never the text of an event or a note. */
export interface Log {
  write(event: string, fields?: Record<string, string | number | boolean>): void;
}

export const silentLog: Log = { write: () => {} };

export const createLog = (emit: (line: string) => void, now: () => number): Log => ({
  write: (event, fields = {}) =>
    emit(`${JSON.stringify({ at: new Date(now()).toISOString(), event, ...fields })}\n`),
});
