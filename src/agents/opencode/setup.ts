import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { entryAt } from '../../base/checkout-file.ts';
import { serverEditor } from '../editors.ts';
import { pluginEditor } from '../plugin-file.ts';
import type { AgentSetup } from '../setup.ts';

/** Kilo is a fork of OpenCode: the same settings and plugins under another name. */
export const openCodeSetupOf = (agent: 'opencode' | 'kilo', title: string): AgentSetup => ({
  title,
  program: agent,
  // Without a subcommand, OpenCode takes its argument as a folder to open and not as a prompt.
  start: { promptOption: '--prompt' },
  folders: ({ XDG_CONFIG_HOME, XDG_DATA_HOME }, home) => ({
    config: join(XDG_CONFIG_HOME || join(home, '.config'), agent),
    state: join(XDG_DATA_HOME || join(home, '.local', 'share'), agent),
  }),
  projectFolder: `.${agent}`,
  files: ({ isUser, config, root }) => [
    { holds: 'plugin', path: join(config, 'plugins', 'backstory.js') },
    { holds: 'server', path: configFile(isUser ? config : root, agent, isUser) },
  ],
  editors: {
    plugin: pluginEditor(agent, 'opencode/backstory.js'),
    server: serverEditor('mcp', ({ command, args }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
    })),
  },
});

export const openCodeSetup = openCodeSetupOf('opencode', 'OpenCode');

/** OpenCode reads both opencode.jsonc and opencode.json. */
function configFile(folder: string, agent: string, isUser: boolean): string {
  const withComments = join(folder, `${agent}.jsonc`);
  const isThere = isUser ? existsSync(withComments) : entryAt(folder, `${agent}.jsonc`) !== 'none';
  return isThere ? withComments : join(folder, `${agent}.json`);
}
