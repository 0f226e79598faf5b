import { copilot } from '../../support/agents/copilot.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(copilot);
