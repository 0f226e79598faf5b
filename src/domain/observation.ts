export const observationTypes = ['fix', 'feature', 'refactor', 'change', 'discovery', 'decision'] as const;
export type ObservationType = (typeof observationTypes)[number];

/** Names of types in other tools. */
export const typeAliases: Record<string, ObservationType> = { bugfix: 'fix', bug: 'fix' };
