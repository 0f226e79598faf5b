import { codex } from '../../support/agents/codex.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(codex);
