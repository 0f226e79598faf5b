/** The prelude as JSON for stdout. Each agent gets only the keys it knows. */
export const hookReply = (prelude: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: prelude } });

export const cursorReply = (prelude: string): string => JSON.stringify({ additional_context: prelude });

/** Returns the hook's output for Backstory's plugins in OpenCode and Pi. */
export const pluginReply = (prelude: string): string => JSON.stringify({ prelude });
