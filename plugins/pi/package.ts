// Backstory as Pi loads it from the npm package: pi install npm:backstory
import { type Pi, start } from './backstory.ts';

/** With the `recall` tool in every version of Pi: a package cannot add an MCP server to the settings. */
export default (pi: Pi): void => start(pi, true);
