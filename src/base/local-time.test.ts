import { afterEach, describe, expect, it } from 'vitest';
import { localDay, localTime } from './clock.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const at = Date.parse('2026-07-23T17:40:00Z');

describe('a time that is shown', () => {
  it.each([
    ['Asia/Tokyo', '2026-07-24', '2026-07-24 02:40 +09:00'],
    ['America/Los_Angeles', '2026-07-23', '2026-07-23 10:40 -07:00'],
    ['America/St_Johns', '2026-07-23', '2026-07-23 15:10 -02:30'],
    ['UTC', '2026-07-23', '2026-07-23 17:40 UTC'],
  ])('is that of the zone of this machine, with its offset: %s', (zoneName, day, time) => {
    process.env.TZ = zoneName;
    expect([localDay(at), localTime(at)]).toEqual([day, time]);
    expect(localDay(new Date(at).toISOString())).toBe(day);
  });

  it('follows the offset of its own day, not of today', () => {
    process.env.TZ = 'America/Los_Angeles';
    expect(localTime(Date.parse('2026-01-23T17:40:00Z'))).toBe('2026-01-23 09:40 -08:00');
  });

  it('is the text itself if that is no time', () => {
    expect([localDay(''), localDay('never'), localTime('')]).toEqual(['', 'never', '']);
  });
});
