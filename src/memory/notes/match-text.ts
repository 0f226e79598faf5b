import { matchLines } from '../../domain/match.ts';
import type { Note } from '../../domain/note.ts';
import { harmlessLine } from '../../text/fence.ts';

const maxLineLength = 200;

/** The tool calls that go against a note, one line each: `denied: command: git push --force`. */
export const matchText = ({ match = {}, proposedMatch = {}, enforced }: Note): string[] => [
  ...matchLines(match).map(
    (line) => `${enforced === true ? 'denied' : 'told before'} ${harmlessLine(line, maxLineLength)}`,
  ),
  ...matchLines(proposedMatch).map(
    (line) => `proposed by an agent: tell before ${harmlessLine(line, maxLineLength)}`,
  ),
];
