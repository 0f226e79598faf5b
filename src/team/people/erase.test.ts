import { expect, it } from 'vitest';
import { nameRemover } from './erase.ts';

it('removes names as whole words in any case, and keeps words that only contain them', () => {
  const removeNames = nameRemover(['ann', 'ann@acme.example', 'Åse (Ops)']);
  expect(removeNames('Ann, ANN and @ann: announce it to ann@acme.example, says Joanna.')).toBe(
    '[erased], [erased] and @[erased]: announce it to [erased], says Joanna.',
  );
  expect(removeNames('åse (ops) was here; ann_x and annå stay')).toBe(
    '[erased] was here; ann_x and annå stay',
  );
});

it('throws if there are no names to remove', () => {
  expect(() => nameRemover([])).toThrow('no names given');
});
