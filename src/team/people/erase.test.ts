import { expect, it } from 'vitest';
import { nameRemover } from './erase.ts';

it('takes names out as whole words, in large or small letters, and leaves what only holds them', () => {
  const without = nameRemover(['ann', 'ann@acme.example', 'Åse (Ops)']);
  expect(without('Ann, ANN and @ann: announce it to ann@acme.example, says Joanna.')).toBe(
    '[erased], [erased] and @[erased]: announce it to [erased], says Joanna.',
  );
  expect(without('åse (ops) was here; ann_x and annå stay')).toBe('[erased] was here; ann_x and annå stay');
});

it('takes nothing out when nobody is named', () => {
  expect(() => nameRemover([])).toThrow('nobody was named');
});
