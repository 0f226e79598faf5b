import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { noClaude } from '../support/claude.ts';
import { noCodex } from '../support/codex.ts';
import {
  claudeCode,
  codexAgent,
  handOver,
  installBoth,
  missingIn,
  prepareRepository,
} from '../support/handoff-work.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

const missing = noClaude ?? noCodex;
if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

describe.skipIf(missing !== undefined)(
  `work handed from one real agent to another${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let sandbox: Sandbox;
    beforeEach(() => {
      sandbox = createSandbox(inject('installedPackage'));
      prepareRepository(sandbox);
      installBoth(sandbox);
    });
    afterEach(() => sandbox.remove());

    it('[handoff-claude-codex] Codex goes on where Claude Code stopped, and is told what changed since', async () => {
      const { request } = await handOver(sandbox, claudeCode, codexAgent);
      expect(missingIn(request)).toEqual([]);
    });
  },
);
