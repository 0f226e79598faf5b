import { join } from 'node:path';
import { serverEditor } from '../editors.ts';
import { pluginEditor } from '../plugin-file.ts';
import type { AgentSetup } from '../setup.ts';

export const piSetup: AgentSetup = {
  title: 'Pi',
  program: 'pi',
  folders: ({ PI_CODING_AGENT_DIR }, home) => {
    const config = PI_CODING_AGENT_DIR || join(home, '.pi', 'agent');
    return { config, state: config };
  },
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
