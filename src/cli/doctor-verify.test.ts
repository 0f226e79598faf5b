import { expect, it } from 'vitest';
import type { Verification } from '../memory/verify.ts';
import { verificationLines } from './doctor-verify.ts';

const plain = (text: string): string => text;
const style = { bold: plain, dim: plain, good: plain, bad: plain, mark: plain };

const found = (notes: Verification['notes']): Verification => ({
  ok: true,
  log: { files: 1, bytes: 0, coveredBytes: 0, damage: [], tornWrites: 0 },
  recoverable: 0,
  notes,
  unreadableSnapshots: [],
  unreadableLedgerLines: 0,
  unforgotten: [],
  index: 'fits',
  fromFuture: {},
});

it('names the notes that were changed or added outside Backstory, up to twenty', () => {
  const notes = Array.from({ length: 25 }, (_, at) => ({
    file: `note-${at}.md`,
    state: at === 0 ? ('edited' as const) : ('unsigned' as const),
  }));
  const text = verificationLines(found(notes), style).join('\n');
  expect(text).toContain('note note-0.md was changed outside Backstory');
  expect(text).toContain('note note-19.md was added outside Backstory');
  expect(text).not.toContain('note-20.md');
  expect(text).toContain('and 5 more');
  expect(text).toContain('backstory doctor --verify --accept');
});
