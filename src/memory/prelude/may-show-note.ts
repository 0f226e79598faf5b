import type { Note } from '../../domain/note.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';

/** Text with a word that may be a secret is not injected, unless the user wrote it as a note or pinned it. */
export const mayShowNote = ({ pinned, derivedFrom, text }: Note): boolean =>
  pinned || derivedFrom.length === 0 || !hasUnexplainedWord(text);
