import type { Evaluation } from '../test/harness/evaluation.ts';

/** Each is imported on demand: loading all of them takes five seconds. */
export const evaluations: Record<string, () => Promise<Evaluation>> = {
  'hook-latency': async () => (await import('./hook-latency/hook-latency.ts')).hookLatency,
  crash: async () => (await import('../test/faults/crash/crash.ts')).crash,
  'async-hooks': async () => (await import('../test/faults/async-hooks/async-hooks.ts')).asyncHooks,
  'concurrent-hooks': async () =>
    (await import('../test/faults/concurrent-hooks/concurrent-hooks.ts')).concurrentHooks,
  'disk-full': async () => (await import('../test/faults/disk-full/disk-full.ts')).diskFull,
  'hostile-files': async () => (await import('../test/faults/hostile-files/hostile-files.ts')).hostileFiles,
  'index-damage': async () => (await import('../test/faults/index-damage/index-damage.ts')).indexDamage,
  'log-damage': async () => (await import('../test/faults/log-damage/log-damage.ts')).logDamage,
  'package-size': async () => (await import('./package-size/package-size.ts')).packageSize,
  'import-large': async () => (await import('./import-large/import-large.ts')).importLarge,
  nested: async () => (await import('./nested/nested.ts')).nested,
  redaction: async () => (await import('./redaction/redaction.ts')).redaction,
  canaries: async () => (await import('../test/faults/canaries/canaries.ts')).canaries,
  typed: async () => (await import('./typed/typed.ts')).typed,
  'recall-wordings': async () => (await import('./recall-wordings/recall-wordings.ts')).recallWordings,
  altered: async () => (await import('./statements/altered.ts')).altered,
  siblings: async () => (await import('./statements/siblings.ts')).siblings,
  changes: async () => (await import('./statements/siblings.ts')).changes,
  holds: async () => (await import('./holds/holds.ts')).holds,
  'first-day': async () => (await import('./first-day/first-day.ts')).firstDay,
  'first-prompt': async () => (await import('./first-prompt/first-prompt.ts')).firstPrompt,
  recap: async () => (await import('./recap/recap.ts')).recap,
  'recall-languages': async () => (await import('./recall-languages/recall-languages.ts')).recallLanguages,
  tombstones: async () => (await import('../test/faults/tombstones/tombstones.ts')).tombstones,
  spend: async () => (await import('../test/faults/spend/spend.ts')).spend,
  poison: async () => (await import('../test/faults/poison/poison.ts')).poison,
  provenance: async () => (await import('../test/faults/provenance/provenance.ts')).provenance,
  'recall-latency': async () => (await import('./recall-latency/recall-latency.ts')).recallLatency,
  'regex-soundness': async () =>
    (await import('../test/faults/regex-soundness/regex-soundness.ts')).regexSoundness,
  watcher: async () => (await import('../test/faults/watcher/watcher.ts')).watcher,
  'code-crash': async () => (await import('../test/faults/code-crash/code-crash.ts')).codeCrash,
  'code-search-small': async () => (await import('./code-search-small/code-search-small.ts')).codeSearchSmall,
  memo: async () => (await import('./memo/memo.ts')).memo,
  titles: async () => (await import('./titles/titles.ts')).titles,
  why: async () => (await import('./why/why.ts')).whyEvaluation,
  'why-real': async () => (await import('./why-real/why-real.ts')).whyReal,
  'shell-lines': async () => (await import('./why/shell-lines.ts')).shellLines,
  attribution: async () => (await import('./attribution/attribution.ts')).attribution,
  drift: async () => (await import('./drift/drift.ts')).driftEvaluation,
  lsp: async () => (await import('./lsp/lsp.ts')).lsp,
  'viewer-links': async () => (await import('./viewer/viewer-links.ts')).viewerLinks,
  viewer: async () => (await import('./viewer/viewer.ts')).viewer,
  'team-isolation': async () =>
    (await import('../test/faults/team-isolation/team-isolation.ts')).teamIsolation,
  'team-faults': async () => (await import('../test/faults/team-faults/team-faults.ts')).teamFaults,
  'team-load': async () => (await import('./team-load/team-load.ts')).teamLoad,
  'team-loop': async () => (await import('./team-loop/team-loop.ts')).teamLoop,
  'team-rights': async () => (await import('./team-rights/team-rights.ts')).teamRights,
  'team-viewer': async () => (await import('./team-viewer/team-viewer.ts')).teamViewer,
};

/**
 * Each protects a promise of ARCHITECTURE, SECURITY or docs/internals/invariants.md, and a change is accepted only if
 * its short form passes. Full runs belong to a release.
 */
export const gates = `
  package-size index-damage log-damage concurrent-hooks hostile-files disk-full crash async-hooks redaction canaries
  regex-soundness watcher code-crash recall-languages memo why drift spend tombstones poison provenance nested altered
  siblings typed viewer viewer-links team-isolation team-rights team-faults team-loop team-viewer
  hook-latency recall-latency first-day
`
  .trim()
  .split(/\s+/);
