import { AppError, messageOf } from '../base/errors.ts';

/** What a tool says: text only, because agents differ in whether they show text or structured content. */
export interface ToolAnswer {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

/** Agents cut longer answers in the middle or move them to a file. */
export const maxAnswerBytes = 19_000;

export function answer(text: string): ToolAnswer {
  return { content: [{ type: 'text', text: cutToBytes(text, maxAnswerBytes) }] };
}

function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const note = '\n… cut here; ask for less at once.';
  const kept = Buffer.from(text)
    .subarray(0, limit - Buffer.byteLength(note))
    .toString('utf8');
  return kept.replace(/\uFFFD+$/, '') + note;
}

/** The one error envelope of every tool. */
export function failure(error: unknown): ToolAnswer {
  const known = error instanceof AppError ? error : undefined;
  const body = {
    version: '1',
    error: {
      code: known?.code ?? 'BACKEND_FAILURE',
      message: messageOf(error),
      retryable: known?.retryable ?? true,
      suggested_action: known?.hint ?? 'Run `backstory doctor` in a terminal',
    },
  };
  return { ...answer(JSON.stringify(body)), isError: true };
}

/** A tool never throws: an error is an answer too. */
export async function answering(work: () => Promise<string>): Promise<ToolAnswer> {
  try {
    return answer(await work());
  } catch (error) {
    return failure(error);
  }
}
