/**
 * Loaded with `--import`, sets the clock of a Node program to BACKSTORY_PICTURE_TIME. From there it runs on, so that
 * what happens on "Monday" and on "Thursday" is recorded with these dates.
 */
const start = Date.parse(process.env.BACKSTORY_PICTURE_TIME ?? '');
const offset = start - Date.now();
const RealDate = Date;

if (!Number.isNaN(offset))
  globalThis.Date = class extends RealDate {
    constructor(...args: []) {
      if (args.length === 0) super(RealDate.now() + offset);
      else super(...args);
    }
    static override now(): number {
      return RealDate.now() + offset;
    }
  } as DateConstructor;
