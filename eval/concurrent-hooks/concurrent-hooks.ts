import type { Evaluation } from '../harness.ts';
export const concurrentHooks: Evaluation = { name: 'concurrent-hooks', summary: '', async run() { return { n: 0, figures: {}, bars: {} }; } };
