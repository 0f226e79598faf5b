import { describe, expect, it } from 'vitest';
import { type Seen, withEarlier, withNews } from './seen.ts';

interface Session {
  id: string;
  at: number;
}

/** `c5` is session c at 5. */
const list = (words: string, next?: string): Seen<Session> => ({
  items: words.split(' ').map((word) => ({ id: word.slice(0, 1), at: Number(word.slice(1)) })),
  next,
});
const told = ({ items, next }: Seen<Session>): string =>
  [...items.map(({ id, at }) => id + at), `→${next ?? 'end'}`].join(' ');
const news = (seen: Seen<Session>, newest: Seen<Session>): string =>
  told(withNews(seen, newest, ({ at }) => at));

describe('a list that somebody went down in', () => {
  const seen = withEarlier(list('e5 d4', 'd'), list('c3 b2', 'b'));

  it('goes on at its end', () => {
    expect(told(seen)).toBe('e5 d4 c3 b2 →b');
  });

  it('keeps what was loaded when something new comes in above it', () => {
    expect(news(seen, list('f6 e5', 'e'))).toBe('f6 e5 d4 c3 b2 →b');
  });

  it('shows what moved up once', () => {
    expect(news(seen, list('c7 e5', 'e'))).toBe('c7 e5 d4 b2 →b');
    expect(news(seen, list('b7 e5', 'e'))).toBe('b7 e5 d4 c3 →b');
  });

  it('begins again where a gap would be', () => {
    expect(news(seen, list('h8 g7', 'g'))).toBe('h8 g7 →g');
    // The one it ended with has moved, too.
    expect(news(seen, list('d9 e8', 'e'))).toBe('d9 e8 →e');
  });

  it('ends where the newest page is all there is', () => {
    expect(news(seen, list('f6 e5'))).toBe('f6 e5 →end');
  });

  it('goes on after the newest page while nothing else was loaded', () => {
    expect(news(list('e5 d4', 'd'), list('e5 d4', 'other'))).toBe('e5 d4 →other');
  });
});
