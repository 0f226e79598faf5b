// Backstory as OpenCode loads it from the npm package: { "plugin": ["backstory"] } in opencode.json.
import { Backstory as create } from './backstory.js';

/** Adds the MCP server too, which `backstory install opencode` would write into the settings. */
export const Backstory = async (input) => ({
  ...(await create(input)),
  config: async (config) => {
    config.mcp = { backstory: { type: 'local', command: ['backstory', 'mcp'] }, ...config.mcp };
  },
});
