/** Tools whose memories of the current project can be imported. */
export const foreignTools = [
  'claude-mem',
  'triforge',
  'thehook',
  'claude-memory',
  'codex-memory',
  'basic-memory',
] as const;
export type ForeignTool = (typeof foreignTools)[number];
