import type { Visitor } from '../viewer/visitor.ts';

export const isSeen = (visitor: Visitor, selector: string, words: string | RegExp): Promise<boolean> =>
  visitor.page
    .locator(selector)
    .filter({ hasText: words })
    .first()
    .waitFor()
    .then(
      () => true,
      () => false,
    );
