/** Forgets events in a separate process that can be killed: `forget-events.ts HOME PROJECT ID…`. */

import { systemClock } from '../../../src/base/clock.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { forget } from '../../../src/memory/notes/forget.ts';
import { openDrain } from '../../harness/home.ts';

const [home = '', project = '', ...ids] = process.argv.slice(2);
const parts = openDrain(homePaths(home), project, { userHome: home, clock: systemClock });
await forget(
  parts,
  { ids },
  {
    device: parts.device.id,
    actor: parts.actor,
    agent: 'backstory',
    agentVersion: '',
    agentSession: '',
    clientPid: 0,
    project,
    checkout: '',
    branch: '',
    head: '',
  },
);
