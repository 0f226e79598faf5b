import { parse } from 'node:path';
import { AppError } from '../base/errors.ts';
import { Checkout, type CheckoutParts, type CheckoutState } from './checkout.ts';
import { type FileSearch, type FilesAnswer, findFiles } from './find-files.ts';
import { ScanPool } from './scan-pool.ts';
import { type ContentAnswer, type ContentSearch, searchContent } from './search.ts';
import { matchCheckout } from './words/checkout-words.ts';
import type { GoalWords } from './words/goal-words.ts';
import type { WordMatcher } from './words/match-words.ts';

/** Search over one checkout: the door of this folder. Nothing here knows how an answer is shown. */
export interface CodeSearch {
  root: string;
  content(search: ContentSearch): Promise<ContentAnswer>;
  files(search: FileSearch): Promise<FilesAnswer>;
  /** Where the words of a goal stand, over all files. */
  words(goal: GoalWords): Promise<{ found: WordMatcher; state: CheckoutState }>;
  /** Brings itself up to date; with a lock and a watcher it then stays so. */
  status(): Promise<CheckoutState & { filesKnown: number; hiddenBy: string | undefined }>;
  reindex(isFull: boolean): Promise<CheckoutState>;
  close(): Promise<void>;
}

export function createCodeSearch(parts: CheckoutParts & { userHome: string; scanner: string }): CodeSearch {
  const { root, clock } = parts;
  // An index of everything somebody has is never what was meant.
  if (root === parse(root).root || root === parts.userHome) {
    throw new AppError('REPO_NOT_DETECTED', `${root} is not a project; code search does not start there`, {
      hint: 'Start in a repository, or give one with --repo',
    });
  }
  const checkout = new Checkout(parts);
  const threads = new ScanPool(parts.scanner);
  return {
    root,
    content: (search) => searchContent(checkout, search, clock, threads),
    files: (search) => findFiles(checkout, search),
    async words(goal) {
      await checkout.prepareWords();
      return checkout.use(async (view, state) => ({ found: matchCheckout(view, parts.folder, goal), state }));
    },
    status: () =>
      checkout.use(async (view, state) => {
        const filesKnown = state.indexedFiles + view.live.length;
        return {
          ...state,
          filesKnown,
          hiddenBy: filesKnown === 0 ? await parts.files.whatHidesAll() : undefined,
        };
      }),
    reindex: (isFull) => checkout.reindex(isFull),
    close() {
      threads.close();
      return checkout.close();
    },
  };
}
