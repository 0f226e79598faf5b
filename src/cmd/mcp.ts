import './require-node.ts';

import('./mcp-server.ts');
