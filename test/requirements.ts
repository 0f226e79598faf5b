/**
 * Every promise of the README and the reference, each cited by its tag in the title of a test. An uncited
 * promise, or a tag nobody promised, fails test/requirements.test.ts.
 */
export interface Promised {
  tag: string;
  promise: string;
}

const promised = (tag: string, promise: string): Promised => ({ tag, promise });

export const promises: Promised[] = [
  // The real agents
  promised(
    'e2e-capture-inject-recall',
    'A new session of the real Claude Code is told what was decided before, and its recall tool gives it with its source.',
  ),
  promised(
    'e2e-one-copy',
    'Resume, compaction, clear, fork and subagents leave exactly one copy of each turn.',
  ),
  promised('e2e-project-scope', 'A cloned repository cannot switch capture on by itself.'),
  promised(
    'codex-capture',
    'Codex sessions are captured once, patches by file and commands with their exit status.',
  ),
  promised('codex-prelude', 'A Codex session is told what was decided in another agent.'),
  promised('codex-untrusted', 'Codex hooks are never trusted silently.'),
  promised('codex-trust', 'With the explicit wish to trust them, Codex runs our hooks.'),
  promised(
    'opencode-capture',
    'OpenCode sessions are captured once, through resume and fork, and tell the next session.',
  ),
  promised('opencode-install', 'The OpenCode plugin and server come and go byte for byte.'),
  promised('opencode-off', 'OpenCode works as without us when Backstory is off or gone.'),
  promised(
    'pi-capture',
    'Pi sessions are captured once, through resume and fork, and tell the next session.',
  ),
  promised('pi-install', 'The Pi extension and server come and go, and Pi works without our program.'),
  promised('plugin-valid', 'The plugin directory passes the strict validation of Claude Code.'),
  promised('plugin-captures', 'The plugin captures in Claude Code as an install does.'),
  promised('plugin-codex', 'The same plugin directory works in Codex.'),
  // Truth
  promised('torn-tail', 'A line torn by a kill or a full disk costs no other line.'),
  promised('damage-is-seen', 'An altered line is never served.'),
  promised('newer-kept', 'What a newer version wrote is kept and skipped.'),
  promised('record-cap', 'A record over 16 MB is kept as kind, length, hash and both ends.'),
  promised('hash-standard', 'Our own hashes are the standard ones.'),
  promised('private-modes', 'Everything is readable by its user only.'),
  promised(
    'project-identity',
    'Clones and worktrees of a repository share one project, and a project never changes its id.',
  ),
  promised('project-path-reuse', 'Another repository at the same path does not inherit a memory.'),
  promised('remote-spellings', 'However a remote is spelled, it is the same project.'),
  promised('retention', 'Old events are deleted only when asked for, and never because a clock jumped.'),
  promised('export-restore', 'A project can be kept in one file and brought back.'),
  // Off
  promised('off-is-zero', 'Off, paused, excluded or not installed: not one byte is written.'),
  promised('exclude-files', 'Excluded files are left out.'),
  promised('project-hooks', 'Hooks that a project shares find our command on PATH.'),
  promised('hook-no-git', 'Only the first event in a folder asks git.'),
  promised('glob-fast', 'A pattern made to be slow is answered at once.'),
  // Secrets and trust
  promised('redact-rules', 'Every rule finds its secret and leaves the look-alike.'),
  promised('redact-never-leaks', 'A known kind of secret is never written, whatever stands around it.'),
  promised('redact-private', 'Private passages are never written.'),
  promised('redact-idempotent', 'Redacting twice changes nothing.'),
  promised('memory-is-data', 'Remembered text cannot pass for anything but data.'),
  promised(
    'prelude-trust',
    'Only the words of the user, approved notes and facts seen by Backstory are told unasked.',
  ),
  promised('prelude-limits', 'The prelude stays within 1,500 tokens and 9,000 characters.'),
  promised('prelude-by-source', 'A resumed or forked session is told only what others did.'),
  promised('prelude-since', 'A session that starts before a drain has ended still knows.'),
  promised('token-estimate', 'Estimated tokens are close to a real count, and seldom below it.'),
  // Recall
  promised('findable-at-once', 'A turn can be found the moment its hook returns, whoever holds the index.'),
  promised('tail-equals-index', 'What is not indexed yet is found like what is.'),
  promised('index-fault-answers', 'A faulty index never means no answer.'),
  promised('recall-beside', 'What stands beside a match is found too, and every hit says why.'),
  promised(
    'recall-meaning',
    'What means the same in other words is found, without a network or a native module.',
  ),
  promised(
    'degrades-visibly',
    'A part of recall that is missing is named in the answer, and the rest answers.',
  ),
  promised('recall-standing', 'Standing rules of the user come up with what they apply to.'),
  promised('recall-weak', 'A weak match is called one, and nothing is called nothing.'),
  promised('same-answer', 'The same question has the same answer in the terminal and for an agent.'),
  promised('timeline', 'What happened around a hit, a moment or a question is shown in order.'),
  promised('index-fast', 'Indexing and searching stay quick on long and odd text.'),
  promised('chunk-size', 'Chunks are at most 1,500 characters and together hold all of the text.'),
  promised('versions-side-by-side', 'Two versions of Backstory never rebuild the index of each other.'),
  // Vectors
  promised('vectors-order-free', 'The order in which things were indexed changes no answer of the vectors.'),
  promised('vectors-forgotten', 'A forgotten text leaves no vector in the index file.'),
  promised('embed-refusals', 'A model server that fails is named with what to do, and never with your text.'),
  promised('model-id', 'The built-in model is named by the hash of what it holds.'),
  promised('model-no-vote', 'What the built-in model cannot read, it does not judge.'),
  // Forget
  promised('forget-bytes', 'No byte of a forgotten text is left in any file of ours.'),
  promised('forget-in-place', 'Forgetting moves no other event.'),
  promised('forget-stays', 'What was forgotten does not come back.'),
  promised('forget-note', 'Forgetting a note removes its file.'),
  // Install
  promised('uninstall-bytes', 'Uninstall gives settings back byte for byte.'),
  promised('uninstall-rewritten', 'Where the agent rewrote its settings, exactly our entries go.'),
  promised('install-twice', 'Installing twice is installing once.'),
  promised('install-refuses', 'A settings file that cannot be edited safely is not touched.'),
  promised('install-others', 'Hooks of other tools are never touched.'),
  promised('install-dry-run', 'A dry run changes nothing.'),
  promised('json-edit-exact', 'An edit of a settings file keeps every other byte.'),
  promised('doctor-proves', 'The doctor proves capture with the installed command.'),
  promised('doctor-notices', 'The doctor notices what is missing, moved or broken, and says how to mend it.'),
  // History
  promised('import-transcripts', 'Past sessions are imported exactly once.'),
  promised('import-git', 'Commits can be recalled, the whole history on request.'),
  promised('import-stores', 'The memories of other tools come in as candidates, once.'),
  // Adapters
  promised('agents-contract', 'Every agent adapter passes one contract on what the real agents wrote.'),
  promised('agents-own-words', 'What we told an agent never comes back as a memory, from any agent.'),
  promised('agents-again', 'Reading the same again changes nothing, for any agent.'),
  promised('agents-mutated', 'No mutated record crashes an adapter.'),
  promised('agents-unknown', 'Unknown records are ignored and counted.'),
  promised(
    'cursor-install',
    'Cursor is set up with the command that Claude Code has, so nothing runs twice.',
  ),
  promised('cursor-prelude', 'Cursor is told the prelude in its own dialect.'),
  promised('doctor-silent-agent', 'The doctor names an agent that ran and was not captured.'),
  promised('import-agents', 'Past sessions of OpenCode and Pi can be imported too.'),
  // Commands and tools
  promised('cli-help', 'Help lists every command, by the question it answers.'),
  promised('cli-json', 'Every command prints JSON on request.'),
  promised('cli-exit-codes', 'Exit codes say done, not done, or asked wrongly.'),
  promised('cli-recall', 'Recall in the terminal filters by kind, file, agent, branch, date and trust.'),
  promised('cli-show', 'Eight characters of an id open it in full.'),
  promised('cli-notes', 'Notes are written, edited, pinned and approved from the terminal.'),
  promised('cli-config', 'Settings are shown with where they come from, set and unset.'),
  promised('cli-control', 'Capture is switched on, off, paused and excluded from the terminal.'),
  promised('cli-inside', 'Status, logs and reindex say what is there.'),
  promised('project-link', 'Two projects can be joined.'),
  promised('project-split', 'A folder can be parted from its project.'),
  promised('mcp-stdio', 'The MCP server speaks on stdio and says nothing else there.'),
  promised('mcp-discover', 'The MCP server answers both eras of the protocol.'),
  promised('mcp-errors', 'A tool that fails says so in one envelope, with what to do.'),
  promised('mcp-remember', 'What an agent remembers waits for the user.'),
  promised('mcp-size', 'No tool answer exceeds 20 KB.'),
  promised('mcp-tokens', 'The default tools cost at most 1,000 tokens.'),
  promised('redact-env-values', 'Values of .env files are never written.'),
  promised('redact-environment', 'Credentials in the environment are never written.'),
  promised('redact-no-backtracking', 'No pattern of ours can be made to hang.'),
  promised('signal-blobs', 'Encoded and minified text is kept as its size.'),
  promised('signal-lock-files', 'Lock files are kept as counts.'),
  promised('signal-output', 'Of long output the telling lines are kept.'),
  // Code search
  promised('code-exact', 'A search right after a change finds what is there, indexed or not.'),
  promised('code-git-rules', 'What git ignores is not searched, in a repository or outside of one.'),
  promised('code-contained', 'No path, link or pattern leads code search out of the checkout.'),
  promised('code-linear', 'No pattern of yours can make code search hang.'),
  promised(
    'code-dialect',
    'A pattern outside the documented dialect is refused with a hint, never reinterpreted.',
  ),
  promised('code-mcp', 'The code tools answer in the envelopes they document, within their limits.'),
  promised('code-reuse', 'A repeated search is answered by pointing at the first, while nothing changed.'),
  promised('why', '`why` gives a line its commit, agent session, prompt, decision and what was turned down.'),
  promised('why-uncommitted', '`why` knows who wrote a line before it is committed.'),
  promised('why-honest', '`why` names no agent session without evidence of its edit.'),
  promised(
    'why-follows',
    '`why` follows lines through renames, moves, reformatting, squashes and cherry-picks.',
  ),
  promised('why-plain', '`why` says when no reason is recorded, and answers without any memory.'),
  promised('why-tokens', '`why` costs a model at most 1,200 tokens.'),
  promised('why-failed', '`why` tells what was tried in a file and taken back.'),
  promised('memo-fresh', 'A file is called fresh only while what an agent saw of it is what the disk has.'),
  promised(
    'memo-compaction',
    'After a compaction or a clear, Memo knows that nothing of a file is held any more.',
  ),
  promised(
    'memo-reads',
    'What an agent reads, with its tools or in a shell, is known at once, by its lines and never its text.',
  ),
  promised('memo-own-edit', 'What an agent knows of a file outlives its own edit of it, and nobody else’s.'),
  promised(
    'memo-mcp',
    'The Memo tools answer with the fields they document, from the disk as it is when they are asked.',
  ),
  promised(
    'memo-agents',
    'The real Claude Code, Codex and OpenCode are told what they still know of a file.',
  ),
  promised('memo-subagent', 'A subagent is not told that it has seen what only its parent saw.'),
  promised('stats', 'Savings count only what an agent really skipped, against all that Backstory cost it.'),
  promised('frecency', 'Files that are read and edited often and lately come first among equals.'),
  promised('code-errors', 'A wrong search gets the one error envelope.'),
  promised('code-off', 'Where nothing may be stored, code is searched all the same.'),
  promised(
    'symbols-languages',
    'What a file defines is known with exact lines in eleven languages, and by its lines in others, which is said.',
  ),
  promised(
    'symbols-references',
    'Uses of a name are told apart as definition, call, import or mention; comments and strings are left out.',
  ),
  promised('symbols-definition', 'A definition is found by its name, qualified or not, sources first.'),
  promised('symbols-hostile', 'No source file can make the parser hang, and what was not parsed is said.'),
  promised('symbols-mcp', 'The symbol tools answer in the envelopes they document, within their limits.'),
  promised('symbols-contained', 'No path or link leads an outline out of the checkout.'),
  promised('symbols-cli', 'Outline, definition and references work in the terminal.'),
  promised('code-cli', 'Search, files and reindex code work in the terminal.'),
  // Robustness
  promised('fuzz-hook', 'Whatever a hook is given, it exits 0.'),
  promised('fuzz-transcript', 'A damaged transcript costs no good record.'),
  promised('fuzz-huge', 'A line of 100 MB does no harm.'),
  promised('house', 'The code keeps the rules of its layout, each seen to fail once.'),
];
