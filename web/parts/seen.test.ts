import { describe, expect, it } from 'vitest';
import { type Seen, withEarlier, withNews } from './seen.ts';

interface Session {
  id: string;
  at: number;
}

/** `c5` is session c with time 5. */
const list = (words: string, nextCursor?: string): Seen<Session> => ({
  items: words.split(' ').map((word) => ({ id: word.slice(0, 1), at: Number(word.slice(1)) })),
  nextCursor,
});
const format = ({ items, nextCursor }: Seen<Session>): string =>
  [...items.map(({ id, at }) => id + at), `→${nextCursor ?? 'end'}`].join(' ');
const news = (seen: Seen<Session>, newest: Seen<Session>): string =>
  format(withNews(seen, newest, ({ at }) => at));

describe('a list with earlier pages loaded', () => {
  const seen = withEarlier(list('e5 d4', 'd'), list('c3 b2', 'b'));

  it('appends the next page', () => {
    expect(format(seen)).toBe('e5 d4 c3 b2 →b');
  });

  it('keeps loaded items when new ones arrive', () => {
    expect(news(seen, list('f6 e5', 'e'))).toBe('f6 e5 d4 c3 b2 →b');
  });

  it('shows an item that moved up only once', () => {
    expect(news(seen, list('c7 e5', 'e'))).toBe('c7 e5 d4 b2 →b');
    expect(news(seen, list('b7 e5', 'e'))).toBe('b7 e5 d4 c3 →b');
  });

  it('drops the loaded items if there would be a gap', () => {
    expect(news(seen, list('h8 g7', 'g'))).toBe('h8 g7 →g');
    // The last item of the first page has moved, too.
    expect(news(seen, list('d9 e8', 'e'))).toBe('d9 e8 →e');
  });

  it('is the newest page if that is the only one', () => {
    expect(news(seen, list('f6 e5'))).toBe('f6 e5 →end');
  });

  it('takes the cursor of the newest page if no other page was loaded', () => {
    expect(news(list('e5 d4', 'd'), list('e5 d4', 'other'))).toBe('e5 d4 →other');
  });
});
