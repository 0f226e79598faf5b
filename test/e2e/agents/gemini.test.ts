import { gemini } from '../../support/agents/gemini.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(gemini);
