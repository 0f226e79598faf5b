import { expect, it } from 'vitest';
import { splitStatements } from './split-statements.ts';

it('splits a file at the semicolons between statements', () => {
  expect(splitStatements('select 1;\nselect 2;\n')).toEqual(['select 1', 'select 2']);
});

it('leaves semicolons in texts, names, comments and function bodies alone', () => {
  const statements = [
    `select ';', 'it''s;', ";"`,
    '-- first; then\nselect 1 /* a; b */',
    'create function f() returns void language plpgsql as $$ begin perform 1; end $$',
    'do $body$ begin execute $q$ select 1; $q$; end $body$',
    'select 4 - 2, 6 / 3, $1',
  ];
  expect(splitStatements(statements.join(';\n'))).toEqual(statements);
});

it('drops what has only comments', () => {
  expect(splitStatements('-- nothing\n')).toEqual([]);
});
