/**
 * Finds what a short reply such as "yes", "2" or "the second one" refers to in the agent's answer before it. Returns the
 * passages of the answer that the user agreed to, the closest first; none unless that is unambiguous. A numbered option
 * must exist exactly once. "Yes" must answer the only question of the answer, at its end, and the question must not
 * offer alternatives. A "yes" to a report agrees to nothing in particular.
 */
export function assentedPassages(reply: string, answer: string): string[] {
  if (limiting.test(reply)) return [];
  const [clause = ''] = reply.trim().split(/[,.;:!\n–—]|\s(?:-|and|und|et|y|e|и)\s/u);
  const words = clause.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  const [named, ...others] = words.filter((word) => !assentWords.has(word) && !fillers.has(word));
  if (others.length > 0) return [];
  if (named !== undefined) return optionNamed(named, optionsIn(answer));
  return words.some((word) => assentWords.has(word)) ? proposalIn(answer) : [];
}

/** Words after an assent that take back a part of it: "yes, but only for workers". */
const limiting =
  /(?<!\p{L})(?:but|except|unless|only|not|no|don'?t|without|instead|however|wait|although|aber|nur|nicht|kein\w*|ohne|sondern|mais|sauf|pas|pero|salvo|mas|но|кроме|не)(?!\p{L})|但|不/iu;

const wordSet = (words: string): Set<string> => new Set(words.split(' '));

const assentWords = wordSet(
  'y yes yeah yep yup ok okay k sure agreed exactly correct right perfect great good fine lgtm approved absolutely definitely please go ahead do that this nice cool awesome agree makes sense sounds looks works ja jo jep genau passt gerne bitte oui ouais accord parfait si sí vale claro sim да ок хорошо давай 是 是的 好 好的 可以 行',
);

/** Words around a choice that do not change it: "let's take option 2, thanks". */
const fillers = wordSet(
  "let's lets let us i i'd id i'm im in so me would we prefer choose pick take use want with for option variant choice number nr the one it is then thanks to me approach solution proposal nehmen nimm nehme wir ich die der das variante d prends la le opción",
);

interface Option {
  label: string;
  text: string;
}

/** List items with a number or a letter: `2. …`, `**B)** …`, `Option 3: …`. */
const optionStart =
  /^\s*(?:[-*]\s+)?(?:#+\s*)?\**(?:(?:option|variant|choice|approach|variante|opción)\s+)?([0-9]{1,2}|[a-h])\**\s*[.):–—-]\**\s+/iu;

const offer =
  /(?<!\p{L})(?:options?|ways|alternatives?|choices?|choose|which|prefer|approaches|möglichkeiten|varianten|opciones|варианты)(?!\p{L})/iu;

/** The options of the only numbered list, or of the last one if the line before it offers a choice. */
function optionsIn(answer: string): Option[] {
  const lists: { heading: string; options: Option[] }[] = [];
  let heading = '';
  let isOpen = false;
  for (const line of answer.split('\n')) {
    const start = optionStart.exec(line);
    const label = start?.[1]?.toLowerCase() ?? '';
    if (start !== null) {
      if (lists.length === 0 || label === '1' || label === 'a') lists.push({ heading, options: [] });
      lists.at(-1)?.options.push({ label, text: line.slice(start[0].length) });
      isOpen = true;
      continue;
    }
    const last = lists.at(-1)?.options.at(-1);
    if (line.trim() !== '') heading = line;
    if (isOpen && last !== undefined && /^(?:\s+\S|\s*$)/u.test(line)) last.text += ` ${line.trim()}`;
    else isOpen = false;
  }
  const last = lists.at(-1);
  return last !== undefined && (lists.length === 1 || offer.test(last.heading)) ? last.options : [];
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

function optionNamed(name: string, options: Option[]): string[] {
  const ordinal = name === 'last' ? options.length : ordinals.indexOf(name) + 1;
  const label = ordinal > 0 ? options[ordinal - 1]?.label : name.replace(/[.)]$/u, '');
  const named = options.filter((option) => option.label === label);
  if (named.length !== 1 || options.length < 2) return [];
  return named.map(({ text }) => text.trim());
}

const maxLines = 30;

/**
 * The question, then the lines before it if it means them: "Result: `app session clean` instead of `app clean`. Want me
 * to make this change?"
 */
function proposalIn(answer: string): string[] {
  const lines = answer
    .replace(/```[\s\S]*?(?:```|$)/gu, '\n')
    .split('\n')
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter((line) => line !== '');
  const at = lines.findIndex((line) => /[?？](?!\w)/u.test(line));
  const [question = '', ...after] = at === -1 ? [] : lines.slice(at);
  const isOnly = (lines.join('\n').match(/[?？](?!\w)/gu) ?? []).length === 1;
  // "Want me to do that? The changes would be:" and a list.
  const isLast = after.length === 0 || question.endsWith(':') || after[0]?.endsWith(':') === true;
  if (!isOnly || !isLast || alternatives.test(lastSentence(question))) return [];
  const before = pointingBack.test(question) ? lines.slice(0, at).reverse() : [];
  return [question, ...after, ...before].slice(0, maxLines);
}

/** A question that means the lines before it. "Shall I run the tests?" does not. */
const pointingBack =
  /(?<!\p{L})(?:this|that|these|those|it|them|so|proceed|continue|go ahead|das|dies\p{L}*|es|ça|cela|le|eso|esto|lo|это)(?!\p{L})|这|那/iu;

const alternatives = /(?<!\p{L})(?:or|oder|ou|o|или|还是)(?!\p{L})/iu;

const lastSentence = (text: string): string => text.split(/(?<=[.!:])\s+/u).at(-1) ?? text;
