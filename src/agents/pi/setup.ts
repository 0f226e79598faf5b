import { join } from 'node:path';
import { serverEditor } from '../editors.ts';
import { pluginEditor } from '../plugin-file.ts';
import { type AgentSetup, oneFolder } from '../setup.ts';

export const piSetup: AgentSetup = {
  title: 'Pi',
  program: 'pi',
  folders: oneFolder(join('.pi', 'agent'), 'PI_CODING_AGENT_DIR'),
  projectFolder: '.pi',
  files: ({ config }) => [
    { holds: 'plugin', path: join(config, 'extensions', 'backstory.ts') },
    { holds: 'server', path: join(config, 'mcp.json') },
  ],
  editors: {
    plugin: pluginEditor('pi', 'pi/backstory.ts'),
    // Without `direct`, Pi offers the tools only to code that the model writes, not to the model.
    server: serverEditor('mcpServers', ({ command, args }) => ({ command, args, exposure: 'direct' })),
  },
};
