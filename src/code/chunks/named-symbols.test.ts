import { expect, it } from 'vitest';
import { namedSymbols } from './named-symbols.ts';

it('finds the names in a question that may be symbols', () => {
  expect(namedSymbols('how does parseArgs read snake_case flags')).toEqual(['parseArgs', 'snake_case']);
  expect(namedSymbols('How does Table define a column?')).toEqual(['Table']);
  expect(namedSymbols('how res.redirect sets the Location header')).toEqual(['redirect', 'Location']);
  expect(namedSymbols('where are retries scheduled')).toEqual([]);
});

it('takes a question of one name as that name, without its qualifier', () => {
  expect(namedSymbols('context')).toEqual(['context']);
  expect(namedSymbols('Rails::Engine')).toEqual(['Engine']);
  expect(namedSymbols('Queue.retry')).toEqual(['retry']);
});
