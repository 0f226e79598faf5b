import { cline } from '../../support/agents/cline.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(cline);
