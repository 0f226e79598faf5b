import { grok } from '../../support/agents/grok.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(grok);
