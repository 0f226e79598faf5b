import { openCodeTranscriptsOf } from '../opencode/transcript.ts';

export const kiloTranscripts = openCodeTranscriptsOf('kilo');
