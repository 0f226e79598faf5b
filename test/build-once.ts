import type { TestProject } from 'vitest/node';
import { cleanUp } from './harness/cleanup.ts';
import { installPackage } from './harness/package.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the package as npm installs it from its tarball. */
    installedPackage: string;
  }
}

/** Installs the package once for all tests of the installed program, in whichever groups they are. */
export function setup(project: TestProject): () => void {
  process.env.BACKSTORY_TEST_PACKAGE ??= installPackage().folder;
  project.provide('installedPackage', process.env.BACKSTORY_TEST_PACKAGE);
  return cleanUp;
}
