import { kilo } from '../../support/agents/kilo.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(kilo);
