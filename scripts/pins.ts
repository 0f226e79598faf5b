import { globSync, readFileSync } from 'node:fs';

/** Actions that are not pinned to a commit. Someone else could replace them under the same name. */
export const unpinnedActions = (workflow: string): string[] =>
  [...workflow.matchAll(/^\s*(?:-\s+)?uses:\s*(\S+)/gm)]
    .map((match) => match[1] as string)
    .filter((action) => !action.startsWith('./') && !/@[0-9a-f]{40}$/.test(action));

/** Images without a digest. `own` matches images that are built from this repository. */
export const unpinnedImages = (file: string, own = /^backstory-team:/): string[] =>
  [...file.matchAll(/^(?:FROM|\s+image:)[ \t]+(\S+)/gm)]
    .map((match) => match[1] as string)
    .filter((image) => !own.test(image) && !/@sha256:[0-9a-f]{64}$/.test(image));

const inFiles = (pattern: string, find: (text: string) => string[]): string[] =>
  globSync(pattern).flatMap((path) => find(readFileSync(path, 'utf8')).map((name) => `${path}: ${name}`));

export const allUnpinnedActions = (): string[] => inFiles('.github/workflows/*.yml', unpinnedActions);
export const allUnpinnedImages = (): string[] =>
  ['deploy/Dockerfile', 'deploy/compose.yaml', '.github/workflows/*.yml'].flatMap((path) =>
    inFiles(path, (text) => unpinnedImages(text)),
  );
