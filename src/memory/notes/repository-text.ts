import type { Proof } from '../../distil/prove-statement.ts';
import { fileWithText } from '../../git/text-in-commit.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { currentRoot } from '../projects/project-root.ts';

/**
 * Finds a file of the repository that already had a text when a prompt said it. The prompt may then have it from the
 * file: a command of the repository, a mentioned file, a paste.
 */
export const repositoryFileWith =
  (parts: OpenProject) =>
  (text: string, at: number): Promise<string | undefined> =>
    fileWithText(currentRoot(parts) ?? '', text, at);

/** A quote that the repository had before waits for confirmation. */
export async function withoutRepositoryText(
  find: ReturnType<typeof repositoryFileWith>,
  proof: Proof,
  at: number,
): Promise<Proof> {
  const file = proof.form === 'quote' ? await find(proof.text, at) : undefined;
  if (file === undefined) return proof;
  return { ...proof, form: 'reading', why: `${file} has the same text, so the user may have pasted it.` };
}
