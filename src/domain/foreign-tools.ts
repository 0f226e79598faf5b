/** Tools whose memories of the current project can be imported. */
export const foreignTools = ['claude-mem', 'thehook', 'claude-memory', 'basic-memory'] as const;

export type ForeignTool = (typeof foreignTools)[number];
