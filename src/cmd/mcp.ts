/** The program that agents start as MCP server. */

import './require-node.ts';

import('./mcp-server.ts');
