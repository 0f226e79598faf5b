/**
 * Every promise of the README and the reference, each cited by its tag in the title of a test. An uncited
 * promise, or a tag nobody promised, fails test/requirements.test.ts.
 */
export interface Promised {
  tag: string;
  promise: string;
}

export const promises: Promised[] = [
  {
    tag: 'e2e-capture-inject-recall',
    promise:
      'A new session of the real Claude Code is told what was decided before, and its recall tool gives it with its source.',
  },
  {
    tag: 'e2e-one-copy',
    promise: 'Resume, compaction, clear, fork and subagents leave exactly one copy of each turn.',
  },
  { tag: 'e2e-project-scope', promise: 'A cloned repository cannot switch capture on by itself.' },
  { tag: 'house', promise: 'The code keeps the rules of its layout, each seen to fail once.' },
];
