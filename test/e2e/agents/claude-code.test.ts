import { claudeCode } from '../../support/agents/claude-code.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(claudeCode);
