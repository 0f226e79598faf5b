import { AppError } from '../base/errors.ts';
import type { ContentAnswer, ContentSearch } from '../code/search.ts';
import { givenWordings } from '../recall/hit.ts';
import { answerCodeQuestion, type CodeQuestion, type QuestionAnswer } from './code-question.ts';

export const searchModes = ['literal', 'regex', 'ask'] as const;
export type SearchMode = (typeof searchModes)[number];

export interface CodeQuery extends Omit<ContentSearch, 'mode'>, Pick<CodeQuestion, 'wordings'> {
  mode: SearchMode | undefined;
}

export type SearchAnswer =
  | { kind: 'lines'; answer: ContentAnswer }
  | { kind: 'question'; answer: QuestionAnswer };

/** Two or more words without the punctuation of code. */
const plainWords = /^[\p{L}\p{N}_'’-]+(?:[\s,]+[\p{L}\p{N}_'’-]+)+[?.!]?$/u;

/**
 * If the mode is open, the text is literal; only if no line contains it and it is two or more plain words, it is a
 * question, so that a question never hides a line. Only a question has other wordings.
 */
export async function searchCode(
  parts: Parameters<typeof answerCodeQuestion>[0],
  { mode: given, ...search }: CodeQuery,
): Promise<SearchAnswer> {
  const hasWordings = givenWordings(search.wordings).length > 0;
  const mode = given ?? (hasWordings ? 'ask' : undefined);
  if (hasWordings && mode !== 'ask')
    throw new AppError('INVALID_QUERY', `${mode} and other wordings exclude each other`, {
      hint: 'Ask with mode ask, or search without other wordings',
    });
  if (mode !== 'ask') {
    const answer = await parts.code.content({ ...search, mode: mode ?? 'literal' });
    const isOpen = mode === undefined && answer.lineCount === 0 && answer.isComplete;
    if (!isOpen || !plainWords.test(search.text.trim())) return { kind: 'lines', answer };
  }
  return { kind: 'question', answer: await answerCodeQuestion(parts, search) };
}
