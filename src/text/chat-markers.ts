/**
 * Markers by which chat templates separate roles and turns. Remembered text must not be able to open a turn, so their
 * brackets are replaced by similar characters without meaning: `<|im_start|>` becomes `‹|im_start|›`.
 *
 * Only names that a template uses are replaced. `f <| g |> h` and `Array<|x|>` are code and stay unchanged.
 */
const tags =
  'backstory|system|assistant|human|user|tool|function|antml|hook|command|task|local-command|start_of_turn|end_of_turn|think(?:ing)?\\b|bos\\b|eos\\b';

/** `<system-reminder>`, `</tool_call>`, `<start_of_turn>`. The name may have a suffix, and spaces may precede it. */
const tagOpening = new RegExp(String.raw`<(?=\s*(?:\/\s*)?(?:${tags})[\w:-]*)`, 'gi');
/** `<|im_start|>`, `<|eot_id|>`, `<｜begin▁of▁sentence｜>`. */
const barred = (): RegExp => /<(\s*[|｜]\s*\/?[\p{L}_▁][\p{L}\p{N}_▁.:-]+\s*[|｜]\s*)>/gu;
/** `[INST]`, `[/INST]`, `[SYSTEM_PROMPT]`, `[TOOL_CALLS]`. */
const bracketed = /\[(\s*\/?\s*(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\s*)\]/gi;
/** `<<SYS>>`, `<</SYS>>`. */
const doubled = /<<(\s*\/?\s*SYS\s*)>>/gi;
/** `<s>` and `</s>`. Directly after a name, `<s>` is a type argument, as in `Array<s>`. */
const sentence = /(?<!\w)<(s)>|<(\/s)>/gi;
/** `Human:` and `Assistant:` at the beginning of a line. */
const turn = /^([ \t]*)(human|assistant)(?=[ \t]*:)/gim;

/** Without one of these there is no marker. */
const maybeMarker = /[<[]|(?:human|assistant)[ \t]*:/i;

export const breakChatMarkers = (text: string): string =>
  maybeMarker.test(text) ? withoutMarkers(text) : text;

const withoutMarkers = (text: string): string =>
  text
    .replace(doubled, '‹‹$1››')
    .replace(barred(), '‹$1›')
    .replace(bracketed, '‹$1›')
    .replace(sentence, '‹$1$2›')
    .replace(tagOpening, '‹')
    .replace(turn, '$1‹$2›');
