import { describe, expect, it } from 'vitest';
import { jsonShapes } from '../../test/json-shapes.ts';
import { type Command, optionsOf } from './command.ts';
import { commandNames, loadCommands, withoutOtherName } from './commands.ts';

const commands = await loadCommands();

/** The options and commands whose description is missing. */
const undescribed = (commands: Command[]): string[] =>
  commands.flatMap((command) => [
    ...(command.summary.trim() === '' ? [command.name] : []),
    ...optionsOf(command)
      .filter(({ about }) => about.trim() === '')
      .map(({ name }) => `${command.name} --${name}`),
  ]);

describe('the commands', () => {
  it('[cli-help] are 27 in --help, and each has a schema of its JSON', () => {
    expect(commands).toHaveLength(27);
    expect(Object.keys(jsonShapes).sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  it('[cli-help] have a description of every option beside its declaration', () => {
    expect(undescribed(commands)).toEqual([]);
    const silent: Command = {
      ...(commands[0] as Command),
      name: 'example',
      options: { loud: { about: ' ' } },
    };
    expect(undescribed([silent, { ...silent, summary: '', options: {} }])).toEqual([
      'example --loud',
      'example',
    ]);
  });

  it('have no option twice under one short name, and each is named in the usage', () => {
    for (const { name, usage, options = {} } of commands) {
      const shorts = Object.values(options).flatMap(({ short }) => short ?? []);
      expect(shorts, name).toEqual([...new Set(shorts)]);
      for (const option of Object.keys(options)) expect(usage, name).toContain(`--${option}`);
    }
  });

  it('[recall-list] also answer to short names, and to those of the source designs', () => {
    const named: [string, string][] = [
      ['notes', 'recall --in notes'],
      ['sessions release --since 3d', 'recall --in sessions release --since 3d'],
      ['brief --budget 500', 'handoff --brief --budget 500'],
      ['resume snap_1', 'handoff resume snap_1'],
      ['init', 'capture on'],
      ['build .', 'doctor --reindex code .'],
      ['reindex code --json', 'doctor --reindex code --json'],
      ['recall notes', 'recall notes'],
    ];
    for (const [given, meant] of named) {
      expect(withoutOtherName(given.split(' ')).join(' ')).toBe(meant);
      expect(commandNames).toContain(meant.split(' ')[0]);
    }
    expect(withoutOtherName([])).toEqual([]);
  });
});
