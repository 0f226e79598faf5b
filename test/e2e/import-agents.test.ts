import { afterEach, describe, expect, inject, it } from 'vitest';
import { openCodeRecordings } from '../contract/agents/opencode.ts';
import { piRecordings } from '../contract/agents/pi.ts';
import type { Recording } from '../contract/agents/recording.ts';
import { recalled } from '../support/captured.ts';
import { createSandbox, type Sandbox, storedFiles } from '../support/sandbox.ts';

describe('sessions from before the installation', () => {
  let sandbox: Sandbox;
  afterEach(() => sandbox.remove());

  for (const recording of [openCodeRecordings[0], piRecordings[0]] as Recording[]) {
    it(`[import-agents] of ${recording.agent} are imported completely and once`, () => {
      sandbox = createSandbox(inject('installedPackage'));
      expect(sandbox.cli('install', recording.agent).status).toBe(0);
      recording.play({ home: sandbox.home, work: sandbox.repo });
      const before = storedFiles(sandbox);
      const { stdout } = sandbox.cli('import', recording.agent, '--dry-run');
      expect(stdout).toContain('Dry run: nothing was imported.');
      expect(storedFiles(sandbox)).toEqual(before);
      expect(sandbox.cli('import', recording.agent).status).toBe(0);
      expect(recalled(sandbox, 'prompt').filter((said) => !said.includes('SUBAGENT'))).toEqual(
        [...recording.prompts].sort(),
      );
      const count = sandbox.events().length;
      expect(sandbox.cli('import', recording.agent).status).toBe(0);
      expect(sandbox.events()).toHaveLength(count);
    });
  }
});
