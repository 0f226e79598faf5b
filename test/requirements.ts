/**
 * The promises of the README and the reference. Each tag is cited in the title of at least one test;
 * test/requirements.test.ts fails for a promise without a test and for an unknown tag in a title.
 */
export interface Promised {
  tag: string;
  promise: string;
}

const promised = (tag: string, promise: string): Promised => ({ tag, promise });

export const promises: Promised[] = [
  // Real agents
  promised(
    'e2e-capture-inject-recall',
    'A new session of the real Claude Code starts with earlier decisions in its context, and its `recall` tool returns them with their source.',
  ),
  promised(
    'e2e-one-copy',
    'Resume, compaction, clear, fork and subagents leave exactly one copy of each turn.',
  ),
  promised(
    'agent-approves-nothing',
    'A real agent cannot approve, publish, delete or weaken anything from its shell. A note it writes waits for review.',
  ),
  promised(
    'prompt-typed',
    "A prompt is the user's only if a person typed it: not if an agent started the agent, not in a headless session, and not if only a transcript has it.",
  ),
  promised(
    'approval-trace',
    'An approval records its terminal and parent processes. `status` and `review` name those that were made while an agent was working.',
  ),
  promised(
    'commit-agent-real',
    "A commit made by the real Claude Code is recalled as the agent's and is not injected into any session.",
  ),
  promised(
    'commit-own',
    'A commit that the user made while no agent was working is attributed to the user, with its channel.',
  ),
  promised(
    'commit-agent',
    'A commit that an agent signed, or that was made while an agent was working, is never attributed to the user.',
  ),
  promised(
    'first-prompt',
    'The first prompt of a session in the real Claude Code is answered with what the user said before about the same thing, later prompts are not, and a subagent is told what concerns its task.',
  ),
  promised(
    'codex-first-prompt',
    'The first prompt of a session in the real Codex is answered with what the user said before about the same thing, and the next prompt is not.',
  ),
  promised('e2e-project-scope', 'Cloning a repository never turns capture on.'),
  promised(
    'codex-capture',
    'Each Codex session is captured once, with patches by file and commands with their exit status.',
  ),
  promised('codex-prelude', 'A Codex session starts with decisions that were made in another agent.'),
  promised('codex-untrusted', 'Codex hooks are never trusted silently.'),
  promised('codex-trust', 'If the user asks for it explicitly, Codex trusts and runs the Backstory hooks.'),
  promised(
    'opencode-capture',
    'OpenCode sessions are captured once, across resume and fork, and the next session starts with their decisions.',
  ),
  promised(
    'opencode-install',
    'Installing and uninstalling the OpenCode plugin and server restores every file byte for byte.',
  ),
  promised('opencode-off', 'OpenCode works normally when Backstory is off or removed.'),
  promised(
    'pi-capture',
    'Pi sessions are captured once, across resume and fork, and the next session starts with their decisions.',
  ),
  promised(
    'pi-install',
    'The Pi extension and server can be installed and removed, and Pi works without the `backstory` program.',
  ),
  promised('plugin-valid', "The plugin directory passes Claude Code's strict validation."),
  promised(
    'plugin-captures',
    'The plugin captures Claude Code sessions in the same way as `backstory install`.',
  ),
  promised('plugin-codex', 'The same plugin directory works in Codex.'),
  // Event log and projects
  promised('torn-tail', 'A line cut short by a killed process or a full disk damages no other line.'),
  promised('damage-is-seen', 'An altered line is never returned.'),
  promised('damage-noticed', 'Any change to an event file or its manifest is detected and reported.'),
  promised('damage-recovered', 'Events lost from a damaged log are recovered from the index.'),
  promised('gap-recorded', 'If a full disk prevents events from being stored, a record of the gap is kept.'),
  promised('future-times', 'An event dated in the future does not stay the newest event.'),
  promised('newer-kept', 'Records written by a newer version are kept and skipped.'),
  promised('record-cap', 'A record over 16 MB is stored as its kind, length, hash, beginning and end.'),
  promised('hash-standard', 'The built-in hash functions match the standard ones.'),
  promised('private-modes', 'All files are readable only by their user.'),
  promised(
    'project-identity',
    'Clones and worktrees of a repository share one project, and a project never changes its id.',
  ),
  promised(
    'project-shared-commit',
    'A folder joins a known project by its remote only if it shares a commit with it.',
  ),
  promised('git-isolation', "Programs and addresses in a repository's git configuration are never used."),
  promised(
    'git-program',
    'Git is started by its absolute path, without any environment variable that configures git.',
  ),
  promised(
    'git-embedded',
    'A folder that looks like a git directory belongs to the repository around it and is never mistaken for another repository.',
  ),
  promised(
    'project-path-reuse',
    'Another repository at the same path does not inherit the memory of the first.',
  ),
  promised('remote-spellings', 'All spellings of a remote URL lead to the same project.'),
  promised('retention', 'Old events are deleted only on request, and never because the clock jumped.'),
  promised('export-restore', 'A project can be exported to one file and restored from it.'),
  // Capture turned off
  promised('off-is-zero', 'While capture is off, paused, excluded or not installed, no byte is written.'),
  promised('exclude-files', 'Excluded files are not captured.'),
  promised('project-hooks', 'Hooks shared in a project find the `backstory` command on PATH.'),
  promised('hook-no-git', 'Only the first event in a folder runs git.'),
  promised('glob-fast', 'No pattern can make glob matching slow.'),
  // Secrets and trust
  promised(
    'redact-rules',
    'Every redaction rule finds its secret and ignores a similar text that is not one.',
  ),
  promised('redact-never-leaks', 'A secret of a known kind is never written, whatever text surrounds it.'),
  promised('redact-private', 'Private passages are never written.'),
  promised('redact-idempotent', 'Redacting twice changes nothing.'),
  promised('memory-is-data', 'Remembered text cannot be mistaken for anything but data.'),
  promised(
    'terminal-text',
    'File names and contents never reach a terminal as control or hidden characters.',
  ),
  promised(
    'fence-boundary',
    'Recalled text is enclosed in boundary markers that no stored text could know in advance.',
  ),
  promised(
    'prelude-trust',
    "The prelude contains only the user's own words, approved notes and facts observed by Backstory.",
  ),
  promised(
    'prelude-importance',
    'If not everything fits, the prelude tells what a model called important first and details last.',
  ),
  promised('prelude-limits', 'The prelude stays within 2,400 tokens and 9,000 characters.'),
  promised(
    'prelude-by-source',
    'The prelude of a resumed or forked session contains only what happened elsewhere.',
  ),
  promised(
    'prelude-since',
    'A session that starts before indexing has finished still gets the newest memory.',
  ),
  promised('token-estimate', 'Token estimates are close to a real count and seldom below it.'),
  // Recall
  promised(
    'findable-at-once',
    'A turn can be found as soon as its hook returns, whichever process has the index open.',
  ),
  promised('tail-equals-index', 'Events that are not indexed yet are found in the same way as indexed ones.'),
  promised('index-fault-answers', 'Recall answers even if the index is damaged.'),
  promised('recall-beside', 'Turns next to a match are found too, and every hit says why it was found.'),
  promised(
    'recall-meaning',
    'Text with the same meaning in other words is found, without a network or a native module.',
  ),
  promised(
    'degrades-visibly',
    'If a part of recall is unavailable, the answer names it and the other parts still answer.',
  ),
  promised(
    'recall-standing',
    'Lasting rules of the user are returned together with the code or topic they apply to.',
  ),
  promised(
    'recall-topic',
    'The current statement on a topic comes before the prompt it came from, and shows what held before.',
  ),
  promised('recall-current-turn', 'The prompt that an agent is answering is not a hit of its own question.'),
  promised(
    'recall-good-hits',
    'An agent gets as many hits as are good, and the answer says if there are more.',
  ),
  promised('recall-once', 'Identical texts are returned as one hit, which says where they were superseded.'),
  promised(
    'recall-preview',
    'The preview of a hit shows the passage that contains the words of the question.',
  ),
  promised(
    'recall-narration',
    "An agent's announcements of its next step are no hits, unless a name in them is looked up.",
  ),
  promised('recall-why', 'A question that asks why is answered by decisions with their reason first.'),
  promised('recall-weak', 'A weak match is labelled as weak, and no match as none.'),
  promised(
    'same-answer',
    "The same question gets the same hits in the terminal and from an agent's tool, except the agent's own turn.",
  ),
  promised('timeline', 'The timeline shows what happened around a hit, a moment or a question, in order.'),
  promised('index-fast', 'Indexing and searching stay fast on long and unusual text.'),
  promised('chunk-size', 'Chunks have at most 1,500 characters and together contain the whole text.'),
  promised('versions-side-by-side', "Two versions of Backstory never rebuild each other's index."),
  // Vectors
  promised(
    'vectors-order-free',
    'The order in which texts were indexed does not change vector search results.',
  ),
  promised('vectors-forgotten', 'A forgotten text leaves no vector in the index file.'),
  promised(
    'embed-refusals',
    'An error of a model server is reported with its name and what to do, and never contains your text.',
  ),
  promised('model-id', 'The built-in model is identified by the hash of its contents.'),
  promised('model-no-vote', 'The built-in model gives no score to text that it cannot read.'),
  // Forget
  promised('forget-bytes', 'No byte of a forgotten text remains in any Backstory file.'),
  promised('forget-in-place', 'Forgetting does not move any other event.'),
  promised('forget-stays', 'Forgotten text does not come back.'),
  promised('forget-note', 'Forgetting a note removes its file.'),
  promised(
    'forget-distilled',
    'Text forgotten by id, words, text, source, time or all at once is not extracted again from its turn, in any wording.',
  ),
  // Notes extracted automatically
  promised(
    'distil-user',
    "A user's decision, rule, rejection or open question becomes a note in the user's words.",
  ),
  promised('distil-gate', 'Tasks, questions, guesses and courtesies produce no note.'),
  promised('distil-fix', 'An error and the change that fixed it become a note.'),
  promised(
    'distil-summary',
    'Each session with work gets one summary: the first request, what was done and how it ended. It labels words of the agent, and no session receives it unasked.',
  ),
  promised(
    'distil-once',
    'A session is distilled once per state, even if files are lost or the index is rebuilt.',
  ),
  promised(
    'distil-trust',
    'A note based on what an agent or a tool said is a candidate and is not in the prelude.',
  ),
  promised('note-repeat', 'A repeated statement becomes more evidence for one note.'),
  promised(
    'note-wrong',
    'A note that the user calls wrong is withdrawn or replaced, stays as history and is not extracted again.',
  ),
  promised(
    'everywhere',
    'What the user says for every project applies in all of them, is corrected and forgotten once for all, and never leaves the machine.',
  ),
  promised(
    'forget-named',
    'Before it asks, `forget` names every note and kind of event that it will delete.',
  ),
  promised(
    'note-superseded',
    'A statement ends only because a person or a confirming model says so; a later sentence that may have changed it is told beside it.',
  ),
  promised(
    'note-closed',
    'A closed note names what closed it. Rejecting that restores it, forgetting restores it with a mark, withdrawing does not.',
  ),
  promised(
    'note-changed',
    'A statement is marked as possibly changed only by a later sentence that is itself told, with the same topic or the same words and another value.',
  ),
  promised('share-merge', 'Two branches that add shared notes merge without a conflict.'),
  promised('share-redacts', 'Secret, private or unreviewed text is never written to a repository.'),
  promised(
    'share-untrusted',
    'Text from a repository can be recalled with its label and is never in the prelude.',
  ),
  promised('share-forget', '`forget` names each file in the repository that still contains the text.'),
  promised('trust-repo', 'You trust exactly the texts you were shown. A changed text needs approval again.'),
  promised('unshare', 'A note removed from the repository disappears for everybody who pulls the change.'),
  promised('knowledge-build', "A project's commands, folders and key files come only from its files."),
  promised('knowledge-stable', 'The same files produce the same knowledge, byte for byte.'),
  promised('knowledge-forge', '`.forge/knowledge.json` files are read too.'),
  promised(
    'note-review',
    'Review accepts, edits or rejects a note with one key, and a rejected note does not come back.',
  ),
  promised(
    'review-rare',
    "An agent's statements about its own work do not need review; recall still finds them.",
  ),
  // Models and spending
  promised('models-off', 'No model is called and nothing is spent until you choose a model.'),
  promised(
    'models-key',
    'An API key is read from the environment variable you named and is never stored in a file.',
  ),
  promised(
    'models-claude',
    'The real Claude Code can be called as a model, without tools, and the call is not recorded.',
  ),
  promised(
    'models-codex',
    'The real Codex can be called as a model, without a shell, and the call is not recorded.',
  ),
  promised('models-no-recursion', "Backstory's own calls of an agent are never captured."),
  promised(
    'models-idle',
    'A model is called once for a session that has ended or become idle, and only with what is new.',
  ),
  promised(
    'models-trust',
    "A model's statement is told unasked only if you said it. Otherwise it waits for your approval.",
  ),
  promised('models-consent', 'Text from before you chose a model is never sent to it.'),
  promised(
    'models-consent-statements',
    'A model is shown only statements that were recorded after you chose it.',
  ),
  promised(
    'models-whole-words',
    'A statement is compared with your whole sentence, never with a part that a model selected.',
  ),
  promised(
    'models-too-large',
    'A session that is too large for a spending cap is reported and does not block others.',
  ),
  promised('models-paid-failure', 'A failed call is free only if the provider returned and used nothing.'),
  promised('models-cap', 'Once a spending cap is reached, nothing is sent.'),
  promised('models-failed', '`status` lists sessions for which a model call failed.'),
  promised('distil-retry', 'A failed session is retried only on request or when the session continues.'),
  promised('distil-evidence', 'A note written by a model names its sources, or it is dropped.'),
  promised(
    'distil-quote',
    'A statement counts as yours only if you typed its quote and every number, command, package and URL in it.',
  ),
  promised(
    'distil-choice',
    'A short reply such as "2" or "yes" settles only what the answer before it names without ambiguity.',
  ),
  promised('distil-withdraw', 'A model withdraws a statement only with words of yours that end it.'),
  promised('topic-amend', 'A changed statement replaces the earlier one, which stays as history.'),
  promised('topic-withdraw', 'A statement that you took back is no longer told.'),
  promised('topic-users', 'A model never changes a statement that you wrote, edited or pinned.'),
  promised(
    'distil-fence',
    'Text of a session cannot be mistaken for instructions to the model that reads it.',
  ),
  promised('spend-before', 'Every call is recorded in the ledger with its maximum cost before it is made.'),
  promised('spend-cap', 'No call starts that could exceed a daily or monthly cap.'),
  promised('spend-crash', 'A crash loop cannot overspend.'),
  promised('spend-lies', "If a provider reports too little usage, Backstory's own count is charged."),
  promised('spend-one-call', 'Only one model call runs at a time on a machine.'),
  // Install
  promised('uninstall-bytes', 'Uninstall restores settings files byte for byte.'),
  promised(
    'uninstall-rewritten',
    "If the agent rewrote its settings file, uninstall removes exactly Backstory's entries.",
  ),
  promised('install-upgrade', 'Installing again adds hook events that an earlier version did not install.'),
  promised(
    'redact-lazy',
    'A hook that skips the rules for secrets does so only for text in which they find none.',
  ),
  promised('drain-late-event', 'An event that arrives while a drain ends is not left unindexed.'),
  promised(
    'trace-memory',
    'Traces of the team server follow the conventions for memory and MCP, and contain no text or id of a memory.',
  ),
  promised(
    'quick-start',
    'The three commands at the top of the README answer from past sessions, within a minute and without a question.',
  ),
  promised(
    'release-address',
    'The address of the repository is one setting, and there is no release without it.',
  ),
  promised('release-npm', 'The package passes a dry run of `npm publish --provenance`.'),
  promised(
    'release-mcp',
    'The entry for the MCP registry is valid by its schema and has the name of the package.',
  ),
  promised('release-sbom', 'The SBOM of a release is valid by the CycloneDX schema.'),
  promised(
    'release-homebrew',
    'The Homebrew formula of a release is valid Ruby and has the hash of the package.',
  ),
  promised(
    'release-workflow',
    'actionlint accepts the workflows, and publishing needs no long-lived secret.',
  ),
  promised('release-plugin', 'The plugins have the version of the package and are valid by their formats.'),
  promised(
    'release-helm',
    'The Helm chart passes `helm lint --strict`, renders, and gives the server no credentials of the owner.',
  ),
  promised('package-opencode', 'OpenCode loads the npm package as a plugin, with capture and the tools.'),
  promised('package-pi', 'Pi installs the npm package, with capture, the recall tool and the skill.'),
  promised(
    'old-node',
    'On a Node that is too old, every command, the MCP server and the hook say so in one line with the remedy, and nothing is written.',
  ),
  promised('install-async', 'Claude Code and Codex wait only for hooks that answer or end the session.'),
  promised('install-twice', 'Installing twice has the same result as installing once.'),
  promised('install-refuses', 'A settings file that cannot be edited safely is not changed.'),
  promised('install-others', 'Hooks of other tools are never changed.'),
  promised('install-dry-run', 'A dry run changes nothing.'),
  promised('json-edit-exact', 'An edit of a settings file preserves every other byte.'),
  promised('doctor-proves', '`doctor` tests capture with the installed command.'),
  promised(
    'doctor-expiring',
    '`doctor` warns of transcripts that an agent is about to delete and Backstory has not read.',
  ),
  promised('doctor-notices', '`doctor` detects what is missing, moved or broken, and says how to fix it.'),
  promised('skill-tokens', 'The skill costs a session at most 250 tokens until it is used.'),
  promised('skill-operations', 'The skill has an operation for every route of the design it follows.'),
  promised('skill-commands', 'The skill needs only the `backstory` command: no port and no server.'),
  promised('skill-install', 'Install adds the skill to every agent, and uninstall removes it completely.'),
  promised(
    'skill-forked',
    'In Claude Code the skill runs in a separate context, and only its answer is returned.',
  ),
  promised(
    'install-surface',
    'You choose whether an agent gets tools, the skill or both, and which set of tools.',
  ),
  // History
  promised('import-transcripts', 'Past sessions are imported exactly once.'),
  promised(
    'import-history',
    "Prompts in Claude Code's history whose transcripts are gone are imported once, as the user's words.",
  ),
  promised('import-git', 'Commits can be recalled, and the whole history can be imported on request.'),
  promised('import-dry-run', 'A dry run of an import changes no file and says what is new.'),
  promised('import-stores', 'Memories of other tools are imported once, as candidates.'),
  promised(
    'mcp-without-hooks',
    'An MCP client for which no hook runs has a session with action log, search reuse and memo, from its calls.',
  ),
  // Adapters
  promised(
    'agent-capture',
    'Prompts and answers of every agent are captured once, proven with the real program.',
  ),
  promised('agent-edits', 'Edits and commands of every agent are captured with lines and exit status.'),
  promised('agent-prelude', 'The next session of every agent starts with the decisions of earlier ones.'),
  promised('agent-recall', 'The model of every agent can call recall.'),
  promised('agent-shell', 'No command that an agent runs can approve a note.'),
  promised('agent-doctor', 'doctor recognises a working installation for every agent.'),
  promised('agent-import', 'Sessions of every agent from before the installation can be imported.'),
  promised('agent-uninstall', 'Uninstalling restores the settings of every agent byte for byte.'),
  promised(
    'agents-contract',
    'Every agent adapter passes the same contract tests on recordings of the real agents.',
  ),
  promised(
    'agents-own-words',
    'Text that Backstory gave to an agent is never captured as a memory, from any agent.',
  ),
  promised('agents-again', 'Reading the same input again changes nothing, for any agent.'),
  promised('agents-mutated', 'No mutated record crashes an adapter.'),
  promised('agents-unknown', 'Unknown records are ignored and counted.'),
  promised('cursor-install', 'Cursor is set up with the same command as Claude Code, so no hook runs twice.'),
  promised('cursor-prelude', 'Cursor receives the prelude in the format it expects.'),
  promised('doctor-silent-agent', '`doctor` names an agent that ran without being captured.'),
  promised('import-agents', 'Past sessions of OpenCode and Pi can be imported.'),
  // Commands and tools
  promised('cli-help', 'Help lists every command, grouped by topic.'),
  promised('cli-json', 'Every command prints JSON on request.'),
  promised(
    'cli-width',
    'On a terminal no line is wider than the terminal; in a pipe, lines are not wrapped.',
  ),
  promised('cli-colour', 'Colours are used only on terminals and follow NO_COLOR, FORCE_COLOR and TERM.'),
  promised(
    'cli-ids',
    'Every printed id is accepted by every command that takes an id, or the error names the command that accepts it.',
  ),
  promised('cli-meant', 'A mistyped command is answered with the most similar command.'),
  promised('cli-completion', 'Bash, zsh and fish complete commands, options and their values.'),
  promised('cli-exit-codes', 'Exit codes distinguish success, failure and wrong usage.'),
  promised('cli-recall', 'Recall in the terminal filters by kind, file, agent, branch, date and trust.'),
  promised('cli-show', 'The first eight characters of an id are enough to show the entry in full.'),
  promised('cli-notes', 'Notes can be written, edited, pinned and approved in the terminal.'),
  promised('cli-config', 'Settings can be shown with their origin, set and unset.'),
  promised('cli-control', 'Capture can be turned on and off, paused and restricted in the terminal.'),
  promised('cli-inside', '`status`, `logs` and `reindex` report the state of the data.'),
  promised('project-link', 'Two projects can be merged.'),
  promised('project-split', 'A folder can be separated from its project.'),
  promised('mcp-stdio', 'The MCP server writes only protocol messages to standard output.'),
  promised('mcp-discover', 'The MCP server supports both the 2025-11-25 and the 2026-07-28 protocol.'),
  promised('mcp-errors', 'A failed tool call returns the common error envelope, with what to do.'),
  promised(
    'mcp-remember',
    "A note that an agent writes waits for the user's approval, unless the user's own words confirm it.",
  ),
  promised(
    'mcp-statement',
    'A statement that an agent saves is active only if the user typed its quote in that session, and it adds no number, command, package or URL.',
  ),
  promised(
    'remember-reminder',
    'An agent that did not save what a prompt settled is reminded with the next prompt, at most once in five turns.',
  ),
  promised('mcp-size', 'No tool result exceeds 20 KB.'),
  promised(
    'agent-tools',
    'The real Claude Code, Codex, OpenCode and Pi list the tools and the skill, and call the tools.',
  ),
  promised('mcp-same', 'If a tool returns text and structured content, both have the same information.'),
  promised('mcp-sets', 'An agent gets the chosen set of tools and reads only about tools it has.'),
  promised(
    'mcp-conformance',
    'The MCP server passes the applicable tests of the official conformance suite, for both protocol versions.',
  ),
  promised('mcp-aliases', '`rag_search` and `forge_memory` return what `recall` returns.'),
  promised('mcp-progress', 'A long tool call reports progress to clients that asked for it.'),
  promised('mcp-cancel', 'A cancelled tool call stops and leaves nothing half done.'),
  promised('mcp-tokens', 'The definitions of the default tools cost at most 1,000 tokens.'),
  promised(
    'redact-hidden',
    'Secrets are found inside colour codes, Unicode variants, tables, base64, commands and file names.',
  ),
  promised('scan-overwrites', '`scan` overwrites secrets that were written earlier, in every file.'),
  promised('redact-env-values', 'Values of .env files are never written.'),
  promised('redact-environment', 'Credentials in the environment are never written.'),
  promised('redact-no-backtracking', 'No input can make a redaction pattern hang.'),
  promised('signal-blobs', 'Encoded and minified text is stored only as its size.'),
  promised('signal-lock-files', 'Changes of lock files are stored as counts.'),
  promised('signal-output', 'Of long command output, the informative lines are kept.'),
  // Code search
  promised('code-exact', 'A search right after a change finds the changed text, indexed or not.'),
  promised('code-git-rules', 'Files that git ignores are not searched, inside or outside of a repository.'),
  promised(
    'files-bounded',
    'Devices, pipes, endless files and links that lead out of a checkout are not read and delay no hook or command.',
  ),
  promised('code-contained', 'No path, link or pattern takes code search outside the checkout.'),
  promised('code-linear', 'No pattern can make code search hang.'),
  promised(
    'code-dialect',
    'A pattern outside the documented syntax is rejected with a hint and never reinterpreted.',
  ),
  promised('code-mcp', 'The code tools return the documented envelopes within their limits.'),
  promised(
    'code-reuse',
    'While nothing has changed, a repeated search returns a reference to the first result.',
  ),
  promised('why', "`why` names a line's commit, agent session, prompt, decision and rejected alternatives."),
  promised('why-uncommitted', '`why` names who wrote a line before it is committed.'),
  promised('why-honest', '`why` names no agent session without evidence of its edit.'),
  promised(
    'why-follows',
    '`why` follows lines through renames, moves, reformatting, squashes and cherry-picks.',
  ),
  promised('why-plain', '`why` says when no reason is recorded, and works without any memory.'),
  promised('why-ignored', '`why` never shows a model the contents of files that git ignores.'),
  promised('why-tokens', '`why` costs a model at most 1,200 tokens.'),
  promised('why-agents', 'A real agent that calls `why` receives the recorded reason and a failed attempt.'),
  promised('why-failed', '`why` shows attempts in a file that were reverted.'),
  promised(
    'drift',
    'Recall says whether code is current, moved, changed or gone, with its new location and the commit.',
  ),
  promised('drift-branch', 'If a memory is true on another branch, recall names that branch.'),
  promised('drift-rank', 'Memories whose code has changed or gone rank below those that are still true.'),
  promised('drift-surfaces', 'Every place that shows a memory also shows the state of its code.'),
  promised('drift-note', 'A note can be anchored to lines and shows whether they still exist.'),
  promised('drift-prelude', 'The prelude never presents a fact whose code is gone as still true.'),
  promised('drift-checkout', 'Memory is compared with the checkout in use, and never with a deleted one.'),
  promised('drift-failed', 'Recall about a file shows attempts in it that were reverted.'),
  promised('drift-import', 'Imported sessions are anchored to code as soon as they are imported.'),
  promised('memo-fresh', 'A file is reported as fresh only while the lines an agent saw match the disk.'),
  promised(
    'memo-compaction',
    'After a compaction or a clear, Memo reports that the context contains nothing of a file.',
  ),
  promised(
    'memo-reads',
    "An agent's reads, with its tools or in a shell, are recorded at once, by line numbers and never as text.",
  ),
  promised(
    'memo-own-edit',
    "After an agent's own edit Memo still knows what the agent has seen of a file; after another's edit it does not.",
  ),
  promised(
    'memo-mcp',
    'The Memo tools return the documented fields, computed from the disk at the time of the call.',
  ),
  promised(
    'memo-agents',
    'The real Claude Code, Codex and OpenCode can ask which parts of a file they have already seen.',
  ),
  promised('memo-subagent', 'Memo does not report to a subagent what only its parent has seen.'),
  promised(
    'stats',
    'Savings count only reads and searches that an agent really skipped, minus everything Backstory cost it.',
  ),
  promised('frecency', 'Among equal results, files that were read and edited often and recently come first.'),
  promised('code-errors', 'An invalid search returns the common error envelope.'),
  promised('code-off', 'Code search works even where nothing may be stored.'),
  promised(
    'symbols-languages',
    'Definitions are found with exact lines in eleven languages, and by text patterns in others, which the result says.',
  ),
  promised(
    'symbols-references',
    'References are classified as definition, call, import or mention; comments and strings are excluded.',
  ),
  promised(
    'symbols-definition',
    'A definition is found by its name, qualified or not, with source files first.',
  ),
  promised(
    'symbols-hostile',
    'No source file can make the parser hang, and the result names what was not parsed.',
  ),
  promised('symbols-mcp', 'The symbol tools return the documented envelopes within their limits.'),
  promised('symbols-contained', 'No path or link takes an outline outside the checkout.'),
  promised('symbols-cli', '`outline`, `definition` and `references` work in the terminal.'),
  promised(
    'code-ask',
    'A question in plain words finds the code it is about, as it is now, and never hides a line with that text.',
  ),
  promised('code-cli', '`search`, `files` and `reindex code` work in the terminal.'),
  promised('pack-mcp', 'A context pack has the documented envelope, defaults and limits.'),
  promised('pack-budget', 'A context pack never exceeds the requested tokens.'),
  promised('pack-fresh', 'A context pack includes changes made a moment ago, indexed or not.'),
  promised('pack-past', 'A context pack names files that similar past work changed, and notes about them.'),
  promised('pack-alone', 'A context pack works without memory and without git, and says what is missing.'),
  promised('pack-review', 'A context pack for a review starts with the current changes.'),
  // Work sessions and handoff
  promised(
    'handoff-claude-codex',
    'Codex continues where Claude Code stopped, and knows what has changed since.',
  ),
  promised(
    'handoff-codex-claude',
    'Claude Code continues where Codex stopped, and knows what has changed since.',
  ),
  promised(
    'handoff-start',
    'The next agent can be started with the brief, whatever text the brief contains.',
  ),
  promised('handoff-terminal', 'Work can be handed to any of five agents from the terminal.'),
  promised('session-shapes', 'The session tools return the fields of the design they follow.'),
  promised(
    'session-implicit',
    'A work session opens when an agent starts working, and later agents find it.',
  ),
  promised('session-lifecycle', 'Agents can open, list and close work sessions, and each step is an event.'),
  promised(
    'session-handoff',
    'An agent that resumes a snapshot joins the same work session, with the usual tools.',
  ),
  promised('session-restores', 'A resume lists the files of the work first, and counts what it restored.'),
  promised(
    'snapshot-private',
    'A snapshot contains no file contents, no secret and nothing that was forgotten.',
  ),
  promised('session-off', 'Where nothing may be stored, no snapshot is made, but a brief is still returned.'),
  promised(
    'brief-budget',
    'A brief never exceeds its token budget and cannot be mistaken for anything but data.',
  ),
  promised('brief-same', 'The same work in the same state produces the same brief, byte for byte.'),
  promised('brief-file', 'A brief is written to a file only on request, and can be removed completely.'),
  // Team
  promised(
    'team-api',
    'A team can add, find and remove memories over HTTP, with the route names of the design it follows.',
  ),
  promised(
    'team-operate',
    'One command sets up a team server, and its processes do not need the rights of the database owner.',
  ),
  promised(
    'team-backup',
    'A dump of a team server, restored into an empty Postgres server, gives the same answers behind the same policies.',
  ),
  promised(
    'team-restore',
    'A team server refuses to serve a restored database until `team migrate` has told clients to start over.',
  ),
  promised(
    'team-image',
    'The container image of the team server is built by steps that need no privileges and run in CI.',
  ),
  promised('team-traces', 'Traces of a team server contain no memory text, no question and no token.'),
  promised('team-doctor', '`team doctor` says what to do about each finding.'),
  promised(
    'team-shutdown',
    'A team server process that is asked to stop completes every request it has accepted.',
  ),
  promised(
    'team-limits',
    'A client that sends a team server too many requests is told to wait, and memory use stays bounded.',
  ),
  promised(
    'team-faults',
    'Whatever fails around a team server, acknowledged writes are kept exactly once and service resumes within seconds.',
  ),
  promised(
    'team-sync-trust',
    "A teammate's note can be recalled with its origin, and is not in the prelude until it is approved locally.",
  ),
  promised(
    'team-one-recall',
    "Recall ranks local memory and the team's together, each hit with its source, author and trust.",
  ),
  promised(
    'team-silent-server',
    'A team server that is slow, unreachable or refuses this machine delays an answer by at most a second, once a minute, and no prompt.',
  ),
  promised(
    'team-first-prompt',
    "The first prompt of a session names the team's issues, jobs and notes that concern it, with none of their words that the prompt lacks.",
  ),
  promised(
    'team-report',
    'A finished session goes to the team as a job, redacted, only after `team report on` in its project.',
  ),
  promised(
    'team-report-forget',
    'If something of a reported session is forgotten, its job is removed from the team and never reported again.',
  ),
  promised(
    'team-copy',
    "A laptop's copy of the team's issues, comments and jobs is bounded and redacted, and follows changes and removals.",
  ),
  promised('team-sync-private', 'Only selected notes are sent to a team, and never with a secret.'),
  promised(
    'team-sync-chosen',
    'Notes shared through the repository are not sent to a server. Sending them needs a separate command.',
  ),
  promised('team-sync-words', 'A note is sent only if the user wrote it or pushed it explicitly.'),
  promised('team-leave', 'Notes selected for one team are never sent to another.'),
  promised('team-owner', 'A database owner without superuser rights can migrate a team database.'),
  promised(
    'team-sync-forget',
    'A note forgotten by its author is removed from the team and from every laptop.',
  ),
  promised(
    'team-dispute',
    "If a member calls a teammate's note wrong, every laptop shows who and when, and sessions of others are not told the note until that is settled.",
  ),
  promised(
    'team-rights',
    'The author of a memory of a team is the person whose token saved it, and only that person or an owner of the project replaces or deletes it.',
  ),
  promised(
    'team-dispute-limit',
    'One person silences at most five notes that nobody else disputes, and none after leaving the team.',
  ),
  promised('team-sync-own', 'No sync replaces a text that the user wrote on this machine.'),
  promised('team-sync-conflict', 'If two people change a shared note, both texts are kept.'),
  promised('team-sync-offline', 'If the team server is unreachable, sync is delayed and nothing is lost.'),
  promised('team-sign-in', 'A device gets its own token when a person enters the code it shows.'),
  promised(
    'team-live',
    'A subscriber of a team server receives every event of its project exactly once, across processes and reconnects.',
  ),
  promised(
    'team-browse',
    "A team's memory can be searched, listed, counted and drawn as a graph with the same route names as `serve`.",
  ),
  promised('team-private', "A private memory on a team server is in no one else's list or count."),
  promised(
    'team-mcp',
    "Agents use a team's memory over Streamable HTTP with a token, on any server process, and write only if their role allows it.",
  ),
  promised(
    'team-mcp-agent',
    "A real agent uses a team's memory without any local installation of Backstory.",
  ),
  promised('team-take-back', 'A pushed note can be withdrawn: it is removed from the team and kept locally.'),
  promised(
    'team-lifecycle',
    'An edited issue, comment or job replaces its memory on a team server, and a deleted one removes it.',
  ),
  promised(
    'team-lifecycle-order',
    'Deliveries that arrive out of order bring back neither an older nor a deleted text.',
  ),
  promised('team-trust', 'An issue from outside the team has trust 0 everywhere a team server shows it.'),
  promised(
    'team-webhooks',
    'A team server follows GitHub issues and comments and applies each delivery once.',
  ),
  promised(
    'team-reviews',
    'A team server follows the remarks of code reviews on GitHub and GitLab, with author, place and resolution, at trust 0.',
  ),
  promised(
    'audit',
    'An audit lists duplicate, possibly changed and unused notes with a command for each, and changes nothing itself.',
  ),
  promised(
    'team-trackers',
    'A team server follows issues and comments of Linear and Jira by their own signatures, and stores nothing restricted.',
  ),
  promised(
    'team-webhook-signed',
    'A webhook accepts only deliveries signed with its secret within the last five minutes.',
  ),
  promised(
    'team-knowledge',
    "A repository's knowledge is sent to the team only on its user's request, and is removed when the file is.",
  ),
  promised(
    'team-jobs',
    'A background job that keeps failing is retried more slowly, then stopped and listed.',
  ),
  promised(
    'team-oidc',
    'People sign in to a team server with an account whose address an operator has listed.',
  ),
  promised(
    'team-identity',
    'A later owner of an email address gets no access to the data of the previous owner.',
  ),
  promised('team-csrf', 'No other site can make a signed-in browser change anything on a team server.'),
  promised(
    'team-offboard',
    'A removed person loses access at once, and another person can become the owner of their memories.',
  ),
  promised('team-erase', "A person's text and name can be erased from every table and every laptop."),
  promised(
    'team-retention',
    "Memories older than a project's retention period are deleted; pinned memories and knowledge are kept.",
  ),
  promised(
    'team-audit',
    'A team server keeps an audit log of who did what. Nobody can change an entry, and no memory text is in it.',
  ),
  promised(
    'team-viewer-cookie',
    'The team viewer keeps its token where no script can read it, and rejects requests from other origins.',
  ),
  promised('team-off', 'Unless you have joined a team, no request is sent.'),
  // HTTP
  promised(
    'http-guard',
    'Every route rejects requests without a token, with an unknown Host header, or from another origin.',
  ),
  promised('http-login', 'A browser signs in with a single-use link and never receives the token.'),
  promised('notice', 'NOTICE lists every bundled package with its copyright lines and licence.'),
  promised('sbom', 'A release includes a CycloneDX list of the packages it contains.'),
  promised('pinned', 'Actions are pinned by commit, and a release requires pinned images.'),
  promised('team-uploads', 'Slow uploads without a token or signature do not delay other clients.'),
  promised('team-lockout', 'Invalid tokens from other clients never lock out a valid one.'),
  promised('team-proxy', 'Client addresses are read from headers only if a trusted proxy set them.'),
  promised('team-device-rate', 'Requests for device codes, and attempts to guess them, are rate limited.'),
  promised('team-serve-listen', '`team serve` exits with a clear message if it cannot listen.'),
  promised(
    'person-only',
    'Only a browser that a person signed in from a terminal can approve, edit or remove memory. The API token can only propose.',
  ),
  promised(
    'ui-own-server',
    "`ui` opens only Backstory's own server, and sends no secret to another program on that port.",
  ),
  promised('http-envelope', 'Errors have the common envelope and a fitting status.'),
  promised(
    'api-client',
    '`backstory/client` has a typed method for every operation of `serve` and the team server, and needs no other package.',
  ),
  promised('http-static', 'The viewer is served only from its own folder.'),
  promised('http-curl', 'The curl commands of the search design work once the token header is added.'),
  promised('http-seed-003', 'Every route of the search design works, with its parameter names.'),
  promised('http-seed-002', 'Every route of the memory design works.'),
  promised('same-hits', 'CLI, MCP and HTTP return the same hits for the same question.'),
  promised(
    'live-events',
    'Subscribers receive changes made by other processes, and resume where the connection broke.',
  ),
  promised('mcp-http', 'MCP clients that use HTTP get the same tools.'),
  promised('serve-ends', 'The server exits when it is idle, and leaves nothing behind.'),
  // Viewer
  promised('viewer-text', 'The viewer shows memory as text and never runs it.'),
  promised('viewer-size', 'The first view of the viewer loads at most 60 KB, compressed.'),
  promised(
    'viewer-code',
    'A note is shown with its code then and now, and nothing outside the checkout is shown.',
  ),
  promised(
    'viewer-today',
    'The first page shows each line that the next session is told, with its evidence, and can remove it.',
  ),
  promised(
    'viewer-search',
    'Search in the viewer shows all hits, page by page, says when there are more, and answers a question about a day with what happened on it.',
  ),
  promised(
    'viewer-session',
    'The page of a session shows edits as diffs, output of commands, and how it ended.',
  ),
  promised('viewer-topics', 'The page of a topic shows its past and evidence, and can correct or forget it.'),
  promised(
    'viewer-review',
    'Review shows the words behind a proposal, and can take all of a session at once.',
  ),
  promised(
    'muted-notes',
    'Sessions of a project are not told a note that the user muted there; recall finds it.',
  ),
  promised(
    'file-page',
    'The page of a file shows for every line who asked for it, which session or commit wrote it, and whether the notes about it still hold.',
  ),
  promised(
    'file-page-confined',
    'The page of a file shows nothing outside the checkout and no file that git ignores, now or in the past.',
  ),
  promised('viewer-outcome', 'The timeline shows the decisions of each session.'),
  promised('viewer-local', 'The viewer sends no request to any other machine.'),
  // Documentation
  promised('tutorial', 'The tutorial shows the real output of its commands.'),
  promised(
    'pictures',
    'The pictures in the documentation are made from real runs, and show pages and commands that exist.',
  ),
  promised('packaged-docs', 'Every link in the packaged documentation leads to a packaged file.'),
  // Robustness
  promised('fuzz-hook', 'A hook exits 0 for any input.'),
  promised('fuzz-transcript', 'A damaged record in a transcript does not affect the others.'),
  promised('fuzz-huge', 'A line of 100 MB does no harm.'),
  promised('house', 'The code follows its architecture rules, and each rule is shown to fail on an example.'),
];
