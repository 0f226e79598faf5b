import { readOverrides } from '../base/config.ts';
import { writeJson } from '../base/files.ts';
import { checkKey, parseConfigValue, settingsIn } from '../base/setting-descriptions.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';

export const configCommand: Command = {
  name: 'config',
  usage: 'config [KEY [VALUE]] [--project] [--unset]',
  summary: 'Show every setting and its source, or change one.',
  group: 'Inspect',
  options: {
    project: { about: 'For this project only.' },
    unset: { about: 'Reset to the default.' },
  },
  needsPerson: ({ positionals, values }) =>
    positionals.length > 1 || values.unset === true ? 'Changing a setting' : undefined,
  async run(app, args) {
    const [key, value] = args.positionals;
    if (key !== undefined) checkKey(key);
    const place = isSet(args, 'project') && value !== undefined ? app.rememberPlace() : app.place();
    const files = { user: app.paths.config, project: app.paths.project(place.project).config };
    const file = isSet(args, 'project') ? files.project : files.user;
    if (key !== undefined && isSet(args, 'unset')) {
      const { [key as 'actor']: _, ...rest } = readOverrides(file, [key]);
      writeJson(file, rest);
    } else if (key !== undefined && value !== undefined) {
      const parsed = parseConfigValue(key, value);
      writeJson(file, { ...readOverrides(file, [key]), [key]: parsed });
    }
    const rows = settingsIn(files).filter((row) => key === undefined || row.key === key);
    const text = rows
      .map(
        (row) =>
          `${app.style.bold(row.key)} = ${JSON.stringify(row.value)}  ${app.style.dim(row.from)}\n  ${app.style.dim(row.meaning)}`,
      )
      .join('\n');
    return {
      value: rows,
      text: key === undefined ? `${text}\n${app.style.dim(`Files: ${files.user}, ${files.project}`)}` : text,
    };
  },
};
