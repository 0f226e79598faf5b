import { openCode } from '../../support/agents/opencode.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(openCode);
