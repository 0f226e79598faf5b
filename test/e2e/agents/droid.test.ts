import { droid } from '../../support/agents/droid.ts';
import { proveAgent } from './prove-agent.ts';

proveAgent(droid);
