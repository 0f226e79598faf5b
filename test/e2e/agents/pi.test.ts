import { pi } from '../../support/agents/pi.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(pi);
