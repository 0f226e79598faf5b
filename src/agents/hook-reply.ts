/** Text for the model as JSON for stdout. Each agent gets only the keys it knows. */
export const hookReply =
  (hookEventName: string) =>
  (additionalContext: string): string =>
    JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } });

export const cursorReply = (prelude: string): string => JSON.stringify({ additional_context: prelude });

/** Returns the hook's output for Backstory's plugins in OpenCode and Pi. */
export const pluginReply = (prelude: string): string => JSON.stringify({ prelude });
