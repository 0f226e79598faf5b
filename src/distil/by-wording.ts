import { fromAgent } from './agent-words.ts';
import type { Distiller, Proposal } from './distiller.ts';
import { summaryOf } from './summary.ts';
import { fromUser } from './user-words.ts';

/** A session that yields more than this is a long talk, and the first notes of it would bury the rest. */
const maxPerSession = 24;

/** Needs no model, no network and next to no time: the default. */
export const distilByWording: Distiller = {
  id: 'wording-1',
  async distil(session) {
    const found = [...fromUser(session), ...fromAgent(session)].filter(isWorthIt).slice(0, maxPerSession);
    return [...found, ...summaryOf(session, found)];
  },
};

const minText = 12;
const isWorthIt = ({ text }: Proposal): boolean => text.length >= minText || /\p{Script=Han}{4}/u.test(text);
