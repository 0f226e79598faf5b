import { stopwatch } from '../src/base/clock.ts';
import { patience } from '../src/git/git.ts';
import { cpuClock } from './support/cpu-time.ts';

/**
 * Makes no answer depend on how busy the machine is: git gets a hundred times its time, and time budgets count the CPU
 * time of this process, so that they do not run out while it waits for a core.
 */
patience.factor = 100;
stopwatch.now = cpuClock.now;
