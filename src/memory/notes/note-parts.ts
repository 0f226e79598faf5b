import { backgroundContext } from '../capture/own-events.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectRedactor } from '../redact/project-redactor.ts';
import type { NoteParts } from './remember.ts';

/** What writing notes of a project needs; by default, for a background process. */
export const notePartsOf = (parts: OpenProject, context = backgroundContext(parts)): NoteParts => ({
  notes: parts.notes,
  log: parts.log,
  userHome: parts.userHome,
  clock: parts.clock,
  redactor: projectRedactor(parts),
  context,
});
