import { fromAgent } from './agent-words.ts';
import type { Distiller, Proposal } from './distiller.ts';
import { summaryOf } from './summary.ts';
import { fromUser } from './user-words.ts';

/** A session that yields more than this is a long talk, and what was said last in it holds. */
const maxPerSession = 24;

/** Needs no model, no network and next to no time: the default. */
export const distilByWording: Distiller = {
  id: 'wording-3',
  async distil(session) {
    const order = new Map(session.turns.map(({ id }, at) => [id, at]));
    const all = [...fromUser(session), ...fromAgent(session)]
      .filter(isWorthIt)
      .sort((a, b) => (order.get(a.turn) ?? 0) - (order.get(b.turn) ?? 0));
    const found = newestOf(all);
    return [...found, ...summaryOf(session, found)];
  },
};

/** Whole turns, because a note is known by its place in its turn. */
function newestOf(all: Proposal[]): Proposal[] {
  const newest = all.slice(-maxPerSession);
  const cut = all.at(-maxPerSession - 1)?.turn;
  const whole = newest.filter(({ turn }) => turn !== cut);
  return whole.length > 0 ? whole : newest;
}

const minText = 12;
const isWorthIt = ({ text }: Proposal): boolean => text.length >= minText || /\p{Script=Han}{4}/u.test(text);
