import { expect, it } from 'vitest';
import { breakClass, classCount, classOf, gramCount, gramOf } from './alphabet.ts';

const classesOf = (bytes: Iterable<number>): string[] => {
  const members = Map.groupBy(bytes, (byte) => classOf[byte] ?? -1);
  return [...members.values()].map((own) => Buffer.from(own).toString('latin1'));
};

it('gives each letter, digit and common punctuation mark a class of its own, in either case', () => {
  const printable = Array.from({ length: 95 }, (_, at) => 32 + at);
  expect(classesOf([9, 11, 12, 13, ...printable])).toEqual([
    ...['\t\v\f\r ', '!?', '"\'`', '#', '$@', '%^~', '&|', '(', ')', '*', '+', ',', '-', '.', '/\\'],
    ...'0123456789',
    ...[':', ';', '<[{', '=', '>]}'],
    ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => letter + letter.toLowerCase()),
    '_',
  ]);
});

it('distinguishes the bytes of other characters by their length and by the middle of their code', () => {
  const groups = classesOf(Array.from({ length: 128 }, (_, at) => 128 + at));
  expect(groups.map((own) => `${own.charCodeAt(0).toString(16)} ${own.length}`)).toEqual([
    ...['80 16', '90 16', 'a0 16', 'b0 16'],
    ...['c0 32', 'e0 32'],
  ]);
});

it('has a class for newlines and control characters alone, and 64 in all', () => {
  const broken = Array.from(classOf.keys()).filter((byte) => classOf[byte] === breakClass);
  expect(broken).toEqual([...Array(9).keys(), 10, ...Array.from({ length: 18 }, (_, at) => 14 + at), 127]);
  expect(classOf.every((own) => own < classCount)).toBe(true);
  expect(new Set(classOf).size).toBe(classCount);
});

it('has a gram for each three classes', () => {
  expect(gramOf(0, 0, 0)).toBe(0);
  expect(gramOf(0, 1, 0)).toBe(classCount);
  expect(gramOf(63, 63, 63)).toBe(gramCount - 1);
});
