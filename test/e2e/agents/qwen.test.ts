import { qwen } from '../../support/agents/qwen.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(qwen);
