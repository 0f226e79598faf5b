import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '../domain/event.ts';
import { ownFileEditor } from './own-file.ts';
import type { Entries, SettingsEditor } from './setup.ts';

/**
 * Writes a plugin; `source` is its path in the folder `plugins` of the package. The commands that it starts, and its
 * agent, are constants of its source.
 */
export const pluginEditor =
  (agent: AgentName, source: string) =>
  ({ plugins, hook, recall }: Entries): SettingsEditor => {
    const constants = { hook, recall, agent };
    return ownFileEditor('// Backstory: ', () =>
      readFileSync(join(plugins, source), 'utf8').replace(
        /^const (hook|recall|agent)(:[^=]*)? = .*;$/gm,
        (_line, name: keyof typeof constants, type = '') =>
          `const ${name}${type} = ${JSON.stringify(constants[name])};`,
      ),
    );
  };
