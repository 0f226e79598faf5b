/**
 * Cheap test whether a prompt may settle, change or withdraw something lasting. The hook runs it on every prompt. A
 * wrong yes costs the agent one line of context, so the test covers the common wordings and no more.
 */

const maxLength = 4_000;

export const maySettle = (prompt: string): boolean =>
  prompt.length <= maxLength && !/^[^.!\n]*\?\s*$/.test(prompt.trim()) && settles(prompt);

// Letters are ranges, because building the sets of Unicode takes a hook 2 ms.
const settles = (prompt: string): boolean =>
  /(?<![\w\u00c0-\u052f])(?:always|never|from now on|going forward|in (?:the )?future|remember (?:that|to|this)|(?:let'?s|we'?ll|i'?ll) (?:use|go with|stick|keep|drop|switch|stay)|(?:we|i) (?:use|prefer|decided|agreed|want|require|no longer|don'?t (?:use|want|need)|only)|no longer|any ?more|instead|rather than|must(?:n'?t)?|don'?t ever|(?:make|set|change|raise|lower) it (?:to )?\d+|go(?:ing)? with|stick(?:ing)? (?:with|to)|switch(?:ing)? to|scrap|forget about|on second thought|immer|nie(?:mals)?|ab (?:jetzt|sofort)|statt|toujours|jamais|désormais|siempre|nunca|en (?:vez|lugar) de|sempre|всегда|никогда|впредь|вместо|больше не)(?![\w\u00c0-\u052f])|^(?:no|nope|nah|nein|non|нет)[,.!\s]+[a-z\u00c0-\u052f\u3040-\ud7ff]|从现在起|总是|不要|改用|不再/i.test(
    prompt,
  );
