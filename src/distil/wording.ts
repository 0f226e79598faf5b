/**
 * The turns of phrase that give away what a sentence is for. Meant to miss rather than to guess: what passes
 * here is told to later sessions. English first; of the other languages the few words that nearly every such
 * sentence has. Boundaries are written out, because \b knows ASCII letters alone.
 */
const phrase = (...alternatives: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');

const clause = `(?:^|[,;:.!(]\\s*|(?<![\\p{L}])(?:and|but|so|also|please|pls|btw|then|ok|okay|yes)\\s+)`;
const atClause = (...alternatives: string[]): RegExp =>
  new RegExp(`${clause}(?:${alternatives.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');

export type Signal = 'decision' | 'convention' | 'failed-path' | 'open-end';

const failed = [
  phrase(
    "(?:that |it |this )?(?:did|does|do)(?:n'?t| not) (?:work|help)",
    'still (?:fails?|failing|broken|crashes|hangs)',
    "(?:we|i)(?:'ve| have)? (?:once |already |also )?tried",
    "(?:don'?t|do not|never) go there(?: again)?",
    'made (?:it|things) worse',
    'wrong (?:approach|track)',
    'dead end',
    'too much\\. revert',
    '(?:roll|rolled) (?:it |that |this )?back',
    'funktioniert (?:so |leider )?nicht',
    'ne marche pas',
    'no funciona',
    'não funciona',
    'не работает',
  ),
  /还是不行|没有用|不起作用/u,
];

const decided = [
  phrase(
    'go(?:ing)? with',
    'went with',
    "(?:let'?s|let us) (?:use|go|keep|take|stick|drop|avoid|switch)",
    'stick(?:ing)? (?:with|to)',
    'settled? (?:on|for)',
    "(?:we|i)(?:'ve| have)? (?:decided|chose|agreed|picked|moved|switched|migrated|dropped|replaced)",
    "(?:we|i)(?:'re| are|'m| am) (?:dropping|moving|switching|going|staying|sticking|replacing)",
    '(?:switch|migrate|port) .{1,60} (?:to|over to)',
    'move .{1,60} from .{1,40} to',
    'instead(?: of)?',
    'rather than',
    'pin .{1,40} to',
    'stay(?:s|ing)? (?:on|with|at)',
    'sold',
    'kick (?:it|that|them|.{1,20}) out',
    'no longer',
    'get rid of',
    'decision',
    'wir (?:nehmen|verwenden|haben (?:uns )?(?:entschieden|beschlossen))',
    'entschieden',
    'beschlossen',
    'statt',
    '(?:on|nous avons) (?:prend|garde|a décidé|décidé)',
    'au lieu de',
    'decidimos',
    'hemos decidido',
    'en (?:vez|lugar) de',
    'em vez de',
    'решили',
    'вместо',
    'берём',
    'больше не',
  ),
  atClause('keep (?!going)\\p{L}+', 'leave .{2,40} (?:alone|as)', 'prefer'),
  /\p{L} it is(?=[\s]*[.,!;]|\s*$)/iu,
  /,\s*not\s+\p{L}/iu,
  // A reason that somebody has: "cap it at 10 %, editorial insists on it".
  /,\s*(?:[\p{L}\p{N}'.-]+\s+){1,4}(?:insists?|wants?|needs?|requires?|demands?|hates?|depends?|rejects?|expects?|broke|breaks|promised)(?![\p{L}])/iu,
  /(?<!(?:do|does|did|is|are|was|were|be|can|could|will|would|should|may|might|must|has|have|had|why|or|if|and|but)\s+)(?<=\p{L}\s)not (?:the|a|an|in|on|from|with)\s/iu,
  /决定|采用|改用|不再|就用|选择/u,
];

const standing = [
  phrase(
    'always',
    'never',
    'from now on',
    'going forward',
    'from here on',
    "must(?:n'?t| not)?",
    'has to',
    'have to',
    'rules?:',
    'ground rules',
    'convention',
    'for the record',
    'remember (?:that|this|to)',
    'by hand',
    'in this (?:repo|repository|codebase|code base|project)',
    'not allowed',
    'on purpose',
    "we (?:use|only|require|prefer|support|do not use|don'?t use)",
    '(?:on|for|with|at) every',
    'only',
    'at least',
    'at most',
    'immer',
    'niemals',
    'nie',
    'ab (?:jetzt|sofort)',
    'nur',
    'toujours',
    'jamais',
    'désormais',
    'siempre',
    'nunca',
    'jamás',
    'sempre',
    'ojo',
    'всегда',
    'никогда',
    'впредь',
    'только',
    'нельзя',
  ),
  atClause("(?:do not|don'?t|dont)\\s+(?!know|worry|think|care|mind|see|get|have)\\p{L}+"),
  atClause('no (?!problem|worries|idea|need|change|thanks|one|more|longer)[\\p{L}][^,.]*'),
  atClause('nothing', 'nobody'),
  /总是|不要|必须|始终|禁止|一律/u,
];

const open = [
  phrase(
    'tomorrow',
    'next (?:time|week|sprint|session|month|step|monday|tuesday|wednesday|thursday|friday)',
    'not (?:today|now|yet)',
    'leave .{2,60} (?:for|until)',
    'still (?:to do|open|missing|uses|needs?|left)',
    'to ?do:?',
    'at some point',
    '(?:when|once|until) .{2,60} (?:ships?|lands?|exists?|is (?:out|released|fixed|ready|done))',
    'until (?:they|we|it)',
    'before (?:merging|releasing|we merge|the release)',
    '(?:do|fix|finish) (?:it|that|this) later',
    "i'?ll (?:get|ask|send|bring) (?:you|them|him|her)?",
    'follow[- ]?up',
    'später',
    'morgen',
    'nächste (?:woche|mal)',
    'mañana',
    'más tarde',
    'demain',
    'plus tard',
    'amanhã',
    'depois',
    'завтра',
    'позже',
    'потом',
  ),
  /明天|下次|稍后|以后再/u,
];

/** What the user does not mean to settle. */
const hedged = phrase(
  'maybe',
  'perhaps',
  'probably',
  'not sure',
  'idk',
  "i don'?t know",
  'i wonder',
  'what if',
  'not deciding',
  "haven'?t decided",
  'vielleicht',
  'peut-être',
  'quizás?',
  'talvez',
  'может быть',
  'наверное',
);

/** How a thing misbehaves, which is news and no rule: "it never fires", "the import always fails". */
const malfunction = /[\p{L}\p{N})`]\s+(?:always|never|only|must)\s+\p{L}+s(?![\p{L}])|(?:^|\s)only\s+\d/iu;
/** What a thing did where something else was expected: "it sorts by text instead of by number", "fails on macos only". */
const misdone =
  /(?<![\p{L}](?:we|they|you)|(?<![\p{L}])i)\s(?:return(?:s|ed)|show(?:s|ed)|sort(?:s|ed)|print(?:s|ed)|render(?:s|ed)|display(?:s|ed)|report(?:s|ed)|count(?:s|ed)|round(?:s|ed)|sends|sent|throws|threw|gives|gave|gets|got|comes|came|goes|went|ends up|ended up|fail(?:s|ed)|crash(?:es|ed)|happen(?:s|ed)|hangs|hung|breaks|broke|dies|died)\s(?:.*\s)?(?:instead(?: of)?|rather than|only)(?![\p{L}])/giu;
/** An order for the work at hand. */
const momentary = /\b(?:yet|right now|for now|this time|in this (?:pr|commit|branch|file))\b/i;
const forbidding = /\b(?:don'?t|do not|dont)\b/i;

/** What a sentence of the user is for; the first that fits in the order in which they exclude each other. */
export function signalOf(sentence: string): Signal | undefined {
  const has = (patterns: RegExp[]) => patterns.some((pattern) => pattern.test(sentence));
  const meant = sentence.replace(misdone, ' ');
  const says = (patterns: RegExp[]) => patterns.some((pattern) => pattern.test(meant));
  if (isQuestion(sentence)) return undefined;
  if (has(failed)) return 'failed-path';
  if (has(open)) return 'open-end';
  if (hedged.test(sentence)) return undefined;
  const isOrder = forbidding.test(sentence) && momentary.test(sentence);
  if (says(standing) && !malfunction.test(sentence) && !isOrder) return 'convention';
  return says(decided) ? 'decision' : undefined;
}

/** Words that decide between two ways, or tell one from the other where something is broken. */
const comparing = /(?<![\p{L}])(?:instead(?: of)?|rather than|only)(?![\p{L}])/giu;

/** Whether it may as well say how a thing misbehaves: nothing but a comparison makes it a decision or a rule. */
export const isBareComparison = (sentence: string): boolean =>
  signalOf(sentence.replace(comparing, ' ').replace(/\s+/g, ' ').trim()) === undefined;

const repair =
  /^(?:please |pls |can you |could you |and )?(?:find out|figure out|look into|investigate|debug|fix|repair|(?:have|take) a look)(?![\p{L}])/iu;

/** Says that something is broken, by what it asks for. */
export const isRepairOrder = (sentence: string): boolean =>
  repair.test(sentence.trim()) && signalOf(sentence) === undefined;

/** Said of the next step as often as of all that follow. */
const weak =
  /(?<![\p{L}])(?:only|ha(?:ve|s) to|must|do(?: not|n'?t)|instead(?: of)?|nur|только)(?![\p{L}])/giu;

/** Whether a sentence would have no signal at all without such words; a reason does not make it a rule. */
export const isWeakWording = (sentence: string): boolean =>
  signalOf(sentence.replace(weak, ' ').replace(/\s+/g, ' ').trim()) === undefined;

export const isHedged = (text: string): boolean => hedged.test(text);

const questionWord =
  /^(?:(?:and|ok|okay|so|but|hm+|hey|also|y|et|und|а|и)[\s,]+)*(?:why|how|where|what(?:'s)?|which|when|who|whose|should (?:we|i)|can (?:you|we|i)|could (?:you|we)|is (?:it|there|that)|are (?:there|you)|do (?:we|you)|does|explain|warum|wie|wo|was|welche|kannst du|pourquoi|comment|où|por ?qu[eé]|c[oó]mo|d[oó]nde|qual|почему|как|где|что|зачем)(?![\p{L}])/iu;

export const isQuestion = (sentence: string): boolean =>
  /[?？]\s*$/.test(sentence) || questionWord.test(sentence.trim());

/** Between two ways: what the user says next is the choice. */
export const isChoice = (prompt: string): boolean =>
  /(?<![\p{L}])(?:or|oder|или|ou|vs\.?|versus|should we|should i|where (?:should|do) we|which|torn|can we)(?![\p{L}])|(?<=\s)o(?=\s)|还是/iu.test(
    prompt,
  );

/** The agent laid out ways to go, or advised one. */
const offer =
  /\boptions?\b|\balternatives?\b|\btrade-?offs?\b|\beither\b|\bprefer(?:ence)?\b|\bI(?:'d| would) (?:recommend|suggest|go|start|begin|rather|do|use|pick|look|try|keep)\b|\brecommend|\bcompromise\b|\bBetter:|^\s*(?:\d[.)]|[-*])\s.*\n\s*(?:\d[.)]|[-*])\s/im;

export const isOffer = (answer: string): boolean => offer.test(answer) || /[?？]\s*$/.test(answer.trim());

const advice =
  /\bI(?:'d| would) (?:recommend|suggest|go with|start with|begin with|rather|pick|keep|use)\b|\bI recommend\b|\bBetter:|\bbest (?:option|choice)\b/i;

export const isAdvice = (sentence: string): boolean => advice.test(sentence);

const plainCause = [
  phrase(
    'root cause',
    'the (?:real |actual )?(?:cause|problem|issue|bug|culprit|reason|lag|outage|error|failures?|crash|leak|slowness) (?:was|were|is|came|comes|lies)',
    'caused by',
    '(?:came|comes|stems) from',
    'turn(?:s|ed) out',
    'due to',
    'the reason',
    'which is why',
    'ursache',
    'lag daran',
    'la causa',
    'el (?:fallo|error|problema) (?:está|era|estaba)',
    'la cause',
    'à cause',
    'a causa',
    'причина',
    'из-за',
  ),
  /原因/u,
];

/** Says why something was as it was, wherever it stands. */
export const isPlainCause = (sentence: string): boolean =>
  plainCause.some((pattern) => pattern.test(sentence));

const looseCause = [
  phrase(
    'because',
    'in short',
    'to sum up',
    '(?:that|which|this) explains',
    'what was needed',
    'weil',
    'porque',
    'parce que',
    'потому что',
  ),
  /因为/u,
];

/** Or gives any reason; agents do so for all they do, so it counts only where a cause was looked for. */
export const isCause = (sentence: string): boolean =>
  isPlainCause(sentence) || looseCause.some((pattern) => pattern.test(sentence));

const problem =
  /\b(?:why|slow|laggy?|fail(?:s|ed|ing|ure)?|flaky|broke|broken|breaks?|errors?|bugs?|crash\w*|hangs?|deadlock|wrong|off by|missing|miss|down|leaks?|dies|doesn'?t|isn'?t|twice|expir\w+|warning|mismatch|red|oom|out of memory|timeouts?|50[0-9]s?|panic|find out|figure out|look into|investigate)\b|(?<!\p{L})(?:warum|fehler|kaputt|se cierra|falla|error|erreur|plante|pourquoi|ошибк|падает|почему|quebrou|erro)|崩溃|错误|为什么/iu;

/** Something is the matter, and the agent is to find out what. */
export const isProblem = (prompt: string): boolean => problem.test(prompt);

const inquiry =
  /\b(?:why|find out|figure out|look into|investigate|explain|summari[sz]e|describe|tell me|check the docs)\b/i;

/** Wants to be told something, asked or not. */
export const isInquiry = (sentence: string): boolean =>
  (isQuestion(sentence) && !/\bwhat about\b/i.test(sentence)) || inquiry.test(sentence);

const aboutTheWork =
  /\b(?:do you think|your opinion|haiku|joke|(?:are|can|could|did|have|were|will|would) you|you (?:changed?|did|do|fix(?:ed)?|add(?:ed)?)|should (?:we|i)|(?:are|is) (?:we|it|that|this|everything|all) (?:done|fixed|green|working|ready|merged|pushed)|(?:did|does|do) (?:it|they|that|the tests?|all tests) (?:pass|work)|how far|status|progress)\b/i;

/** Asks for an opinion, a favour or how far the work is: nothing that is true of the project in a month. */
export const isAboutTheWork = (question: string): boolean => aboutTheWork.test(question);

const codeLike = /`[^`]+`|[\w-]+\/[\w.-]+|\w+\.\w{2,4}\b|\b\w+_\w+\b|\b[a-z]+\d+\w*\b/i;

export const namesCode = (text: string): boolean => codeLike.test(text);

const limit =
  /\b\d[\d.,]*\s?(?:%|[kmg]i?b|ms|seconds?|minutes?|hours?|days?|rows?|requests?|connections?|bytes|times|per)(?![\p{L}])|\b(?:limit(?:s|ed)?|at most|at least|maximum|up to|times? ?out)\b/iu;

/** Says how much of something there may be, or how long it may take. */
export const isLimit = (sentence: string): boolean => limit.test(sentence);

const cure = phrase(
  'fixed by',
  'solved by',
  '(?:is|are|has been|have been|was|were) (?:now )?(?:replaced|removed|moved|cached|created once)',
  '(?:it|they|which|that|\\S+) now',
  'now (?:uses?|takes?|returns?|streams?|starts?|runs?|ignores?|falls?|picks?|inserts?|checks?)',
  '(?:did|does) it',
  'went away by',
  'ahora',
  'jetzt',
  'désormais',
  'agora',
  'теперь',
);

export const isCure = (sentence: string): boolean => cure.test(sentence);

const setback = phrase(
  '(?:made|makes) no difference',
  "(?:did|does|do)(?:n'?t| not) (?:help|work)",
  'still (?:fails|failing|killed|hangs|broken|crashes)',
  'no change either',
  'so i reverted',
  "can(?:'t|not) be used",
  'dead end',
);

/** The agent says that a way led nowhere. */
export const isSetback = (sentence: string): boolean => setback.test(sentence);

/** Announcements, courtesies and scores: true when said, and nothing to anyone later. */
const idle =
  /^(?:let me|let's|i'll|i will|i'm (?:going|adding|sorry|all)|i am|now (?:the|i|let)|running|checking|looking|picking|reading|ok(?:ay)?\b|sure|done|understood|noted|got it|right|good|great|nice|sounds|makes sense|happy|you're|sorry|thanks|alright|agreed|absolutely|of course|yes[,.!]|no problem|perfect|will do|here(?:'s| is| are)|hope|want me|anything|both are|all (?:green|\d)|\d+ (?:tests|runs)|everything|feel free|as (?:expected|the)|reproduced|that reproduces|fixed\.|corrected|interesting|ah,|there it is|verstanden|voy a|d'accord|je |ich |понял|хорошо|создаю|好的)/i;

export const isIdle = (sentence: string): boolean => idle.test(sentence.trim());

const score = /(?<!\p{L})(?:pass(?:es|ed)?|green|still (?:do|does|works?))[.!]?$/iu;

/** How a run ended, which the next run tells anew; unless it says what made it so. */
export const isScore = (sentence: string): boolean =>
  score.test(sentence.trim()) && !isCause(sentence) && !isCure(sentence);

const acknowledgement =
  /^(?:(?:ok(?:ay)?|k|kk|thanks|thank you|thx|ta|cool|nice(?: find| one)?|great|good(?: catch| enough| point| one)?|perfect|super|awesome|lol|haha|yes|yeah|yep|yup|sure|alright|fine|right|makes sense|wow|hm+|mm+|no|nope|nah|agreed|exactly|gracias|danke|merci|obrigado|parfait|perfekt|parfaitement|спасибо|отлично|да|нет|谢谢|好|update|fyi|btw|👍|👌|🎉)(?:[\s,.!:–-]+|$))+/iu;

/** Without the "ok, thanks." in front. */
export const withoutCourtesy = (text: string): string => text.replace(acknowledgement, '').trim();

export const isAgreement = (prompt: string): boolean =>
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|sounds good|agreed|perfect|great|do it|do that|go ahead|go for it|please do|sim|sí|oui|ja|да|давай|faz isso|hazlo|mach das|好)[\s,.!]*)+$/iu.test(
    prompt.trim(),
  );
