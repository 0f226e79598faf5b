import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentFolders } from './settings.ts';
import { usedAgent } from './transcripts.ts';

describe('an agent has run for an account', () => {
  it('if one of its folders for sessions is not empty, and not because its settings exist', () => {
    const home = mkdtempSync(join(tmpdir(), 'backstory-account-'));
    const folders = [agentFolders({}, '/nonexistent'), agentFolders({}, home)];
    mkdirSync(join(home, '.claude', 'projects'), { recursive: true });
    writeFileSync(join(home, '.claude', 'settings.json'), '{}');
    expect(usedAgent(folders)).toBeUndefined();
    mkdirSync(join(home, '.claude', 'projects', '-work'));
    expect(usedAgent(folders)).toBe(join(home, '.claude', 'projects'));
    rmSync(home, { recursive: true });
  });
});
