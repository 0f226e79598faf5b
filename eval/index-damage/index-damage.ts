import type { Evaluation } from '../harness.ts';
export const indexDamage: Evaluation = { name: 'index-damage', summary: '', async run() { return { n: 0, figures: {}, bars: {} }; } };
