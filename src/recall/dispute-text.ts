import { disputeConcept } from '../domain/chunk.ts';
import type { Dispute } from '../domain/note.ts';
import { harmlessLine } from '../text/fence.ts';

const maxNameLength = 40;

/** For example "disputed by eve on 2026-11-17". The index stores it among the concepts of a note. */
export const disputeText = ({ by, at }: Pick<Dispute, 'by' | 'at'>): string =>
  disputeConcept(harmlessLine(by, maxNameLength), at.slice(0, 10));
