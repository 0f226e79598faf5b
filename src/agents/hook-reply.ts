/** How each agent wants to be told the prelude: one JSON object on stdout, with no key it does not know. */
export const hookReply = (prelude: string): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: prelude } });

export const cursorReply = (prelude: string): string => JSON.stringify({ additional_context: prelude });

/** To our own plugins. */
export const pluginReply = (prelude: string): string => JSON.stringify({ prelude });
