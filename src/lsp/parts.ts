import type { Clock } from '../base/clock.ts';
import type { Caller } from '../domain/caller.ts';
import type { Place } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { NoteParts } from '../memory/notes/remember.ts';
import type { RecallParts } from '../recall/with-index.ts';

/** What the language server works with. Only `forWriting` and `viewerLink` change anything on disk. */
export interface LspParts {
  version: string;
  clock: Clock;
  /** The checkout of a folder; undefined if Backstory is off there. */
  place(folder: string): Place | undefined;
  /** The memory of a project, whose index is only read. */
  memory(project: string): RecallParts;
  code(root: string): CheckedCode;
  /** The person or program that started the editor, as far as that is known. */
  caller(): Caller;
  /** Records the checkout as used; `refresh` renders what the next session is told. */
  forWriting(place: Place): { notes: NoteParts; refresh(): Promise<void> };
  /** A link that opens the viewer once. Starts its server if none is running. */
  viewerLink(place: Place): Promise<string>;
}
