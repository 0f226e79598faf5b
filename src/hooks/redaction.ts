import { recordFailure } from '../memory/projects/failures.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { redact } from '../memory/redact/redact.ts';

/** What needs the rules for secrets, in a bundle of its own. */
export { projectRedactor, recordFailure, redact };
