/** Something that a rule rules out, in the words of the rule. */
export interface Prohibition {
  /** The verb before the object, in its base form; empty if there is none. */
  verb: string;
  object: string;
  /** What came before in the text: "it" and "there" refer to it. */
  before: string;
  /** The rest of the sentence after the object, with conditions and exceptions. */
  after: string;
  sentence: string;
  /** Whether it stands against something better, as in "X instead of Y": then a condition is about both. */
  isReplaced?: boolean;
  /** Whether it says how something is: "frozen until …" holds now. */
  isState?: boolean;
  /** Whether it is a report of what was tried. */
  isReport?: boolean;
}

const negation =
  "(?:never(?: ever)?|(?:please )?(?:do not|don'?t|dont)(?: you)?(?: ever)?|(?:must|should|may|shall|can|could|would)(?: not|n't| never)(?: ever)?|mustnt|shouldnt|cannot|cant|no longer|not allowed to|not supposed to|not (?:going )?to|(?:i|we) (?:do not|don'?t) (?:want|like|need)(?: you to| us to| to see| to have| to)?|(?:i|we) (?:won't|never) (?:want|use|do)(?: to)?|refrain from|forbidden to|avoid|stop|quit|steer clear of|stay away from|keep away from|stay clear of|g[eo]t rid of|(?:we(?:'ve| have)? )?(?:ditched|dropped|abandoned|banned|removed|retired)|ditch|ban|(?:keep |take )?(?:your )?hands off|stay out of|keep out of|(?:please )?ask(?: me)?(?: first)? before(?: you)?|check with me before(?: you)?|(?:nobody|no[- ]?one) (?:may|can|should|must|is allowed to)(?: ever)?|i (?:really )?(?:hate|dislike|can'?t stand)(?: it)?(?: when| if)?(?: you)?(?: keep)?(?: do(?:ing)?| us(?:e|ing)| writ(?:e|ing))?)";
const replaced =
  '(?:instead of|rather than|in place of|as opposed to|(?:moved|migrated|switched|moving|migrating|switching|move|migrate|switch)(?: everything| it all)?(?: away)?(?: from| off(?: of)?)|away from)';
const noThing =
  "(?:(?<![\\w'-])no(?: more)?(?! (?:longer|matter|need|one|idea|problems?|way|reason|doubt|worr|exceptions?|excuse|other|difference|point|rush|hurry|change of|thanks|longer|further|good|big|such|harm|sense|means|wonder|clue|time|questions?)\\b))";
const withoutThing = '(?:(?<=\\bcommit messages? (?:[^.;]*))without(?: any)?)';
const notThing =
  '(?:(?<=[,;(–—-] ?|\\band |\\bbut |\\bplease |\\bin |\\bhere |\\btests? |\\S )not(?! (?:even|just|only|be|been|allowed|sure|to|a\\b|an\\b|the case|so\\b|yet|necessarily|because|that|possible|good|work|working|really|always|all\\b|every|too|very|more|less|needed|required|enough|supposed|going)\\b))';
const preferred =
  '(?:(?<=\\b(?:prefer|favou?r|choose|pick|use|want|like|preference is|preference for)s? [^,.;]{1,60} )over|(?<=\\b(?:rather|prefer|more|better|like)\\b[^,;]{0,60} )than)';

const trigger = new RegExp(
  `(?<![\\w'-])(?:(?<negation>${negation})|(?<replaced>${replaced})|(?<noThing>${noThing})|(?<notThing>${notThing}|${withoutThing})|(?<over>${preferred}))(?= |$)`,
  'gi',
);

const bannedWords =
  '(?:banned|forbidden|prohibited|verboten|taboo|disallowed|not allowed|off[- ]limits|off the table|dead|deprecated|gone|history|out of the question|not an option|a no[- ]go|a no-no|not (?:ok|okay|acceptable|permitted|welcome|used|supported)(?: here)?|never (?:ok|okay|acceptable|used|allowed)|no longer (?:used|allowed|supported|an option))';
const frozenWords =
  '(?:frozen|immutable|read[- ]?only|untouchable|sacred|locked|(?:auto-?|code-?)?generated|unchanged|the same|as (?:it is|they are|is)|managed by \\w+|machine[- ]generated|vendored|not ours|third[- ]party(?: code)?|append[- ]only|(?:left )?untouched|out of bounds|not to be (?:edited|touched|changed|modified))';
const participles =
  '(?:used|imported|edited|touched|modified|changed|updated|committed|deleted|removed|added|installed|called|run|created|written|overwritten|executed|invoked|required|put|placed|pushed|deployed|checked in|staged|read|renamed|moved|reformatted|formatted)';
const baseOf: Record<string, string> = {
  used: 'use',
  imported: 'import',
  edited: 'edit',
  touched: 'edit',
  modified: 'edit',
  changed: 'edit',
  updated: 'edit',
  overwritten: 'edit',
  reformatted: 'edit',
  formatted: 'edit',
  renamed: 'edit',
  moved: 'edit',
  committed: 'commit',
  'checked in': 'commit',
  staged: 'commit',
  deleted: 'delete',
  removed: 'delete',
  added: 'add',
  installed: 'install',
  called: 'call',
  run: 'run',
  executed: 'run',
  invoked: 'run',
  created: 'create',
  written: 'write',
  put: 'create',
  placed: 'create',
  required: 'use',
  pushed: 'push',
  deployed: 'deploy',
  read: 'read',
};

const subject = '(?<subject>[^,;:.!?]{1,90}?(?:(?:\\.[\\w/*-]+|:(?= (?:is|are) ))[^,;:.!?]{0,60}?)*)';
const postfix: { pattern: RegExp; verb: string | undefined }[] = [
  {
    pattern: new RegExp(
      `^${subject}(?: is| are|'s)(?: now| all| strictly| absolutely| completely| simply)? ${bannedWords}(?![\\w-])`,
      'i',
    ),
    verb: 'ban',
  },
  {
    pattern: new RegExp(`^${subject} (?:has|have) no (?:place|business)(?= in| here| inside|$)`, 'i'),
    verb: 'ban',
  },
  {
    pattern: new RegExp(
      `^${subject}(?: is| are|'s| stays?| remains?| must (?:be|stay|remain)| should (?:be|stay|remain))(?: now| all| strictly| completely| considered| treated as)? ${frozenWords}(?![\\w-])`,
      'i',
    ),
    verb: 'edit',
  },
  {
    pattern: new RegExp(
      `^${subject} (?:(?:must|should|may|can|shall)(?: not| never|n't)|cannot|mustn'?t|shouldn'?t|can'?t|(?:is|are) (?:not|never)(?: to)?|isn'?t|aren'?t)(?: ever)?(?: to)?(?: be)? (?<participle>${participles})(?![\\w-])`,
      'i',
    ),
    verb: undefined,
  },
  {
    pattern:
      /^(?:please |just |always )*(?:leave|keep) (?<subject>.{1,80}?) (?:alone|untouched|as[- ]is|as it is|as they are|be|out of (?:this|it))(?!\w)/i,
    verb: 'edit',
  },
];

/** "e.g." and file names do not end a sentence. */
const sentenceEnd =
  /(?<=[\w)][!?]+|(?<!\b(?:e\.g|i\.e|etc|vs|approx|incl|min|max))\.)\s+|[\n;]+|\s+[–—]+\s+|\s+-{1,2}\s+|:\)|\s+=>\s+/;

export function prohibitionsIn(text: string): Prohibition[] {
  const sentences = text
    .replace(/\bits (?=not\b|ok\b|okay\b|fine\b|allowed\b|forbidden\b|banned\b)/gi, "it's ")
    .split(sentenceEnd)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  let before = '';
  return sentences.flatMap((sentence) => {
    const found = [...prefixed(sentence, before), ...postfixed(sentence, before)];
    before += `${sentence}. `;
    return found;
  });
}

/** Negations that a thing follows: "avoid lodash". After the others, an unknown word is a verb. */
const nominal =
  /(?:avoid|stop|quit|clear of|away from|rid of|ditch\w*|dropped|drop|abandoned|banned|ban|removed|retired|need|want|like)$/i;

function prefixed(sentence: string, earlier: string): Prohibition[] {
  const found = [...sentence.matchAll(trigger)].filter((match) => !isHarmless(match, sentence));
  return found.flatMap((match, at) => {
    const start = match.index + match[0].length;
    const end = found[at + 1]?.index ?? sentence.length;
    const rest = sentence
      .slice(start, end)
      .trim()
      .replace(/[\s,]+(?:and|or|but|so|please|pls|also|,)*$/i, '');
    const isThing = match.groups?.negation === undefined;
    const isHandsOff = /\bhands off$|\b(?:stay|keep) out of$/i.test(match[0]);
    const { verb, object } = isThing ? gerundOf(rest) : verbOf(rest);
    const { kept, after } = objectOf(
      match.groups?.replaced === undefined ? object : object.replace(/ to \S.*$/i, ''),
    );
    const before = `${earlier}${sentence.slice(0, match.index)}`;
    return [
      {
        verb: isHandsOff ? 'edit' : verb === '' && (isThing || nominal.test(match[0])) ? 'use' : verb,
        object: kept,
        before,
        after: `${after} ${sentence.slice(end)}`,
        sentence,
        isReplaced: match.groups?.replaced !== undefined || match.groups?.notThing !== undefined,
      },
    ];
  });
}

/** "Why not …?", "do I need no …" and other words that rule nothing out. */
function isHarmless({ 0: words, index }: RegExpExecArray, sentence: string): boolean {
  const before = sentence.slice(Math.max(0, index - 24), index).toLowerCase();
  if (
    /\b(?:why|whether|if you|if i|if we|would|is|are|was|were|does|did|has|have|with|there's|there is) $/.test(
      before,
    )
  ) {
    // "is never used" and the like are read by their subject.
    return !/\bwith $/.test(before) || /^no\b/i.test(words);
  }
  // What people or programs do by themselves is no rule for the agent: "I never read them".
  if (/\b(?:i|they|users?|it|he|she|who|people|customers?) $/.test(before))
    return /^(?:never|don'?t|do not|dont|cannot|can'?t|no longer)/i.test(words);
  return /\b(?:problem|ok|fine|ready) $/.test(before);
}

function postfixed(sentence: string, earlier: string): Prohibition[] {
  // Each clause may have its own subject.
  let at = 0;
  const clauses = sentence.split(
    /(?<=[,:])\s+(?!is |are )(?:so |and |but |because |as |since |that )*|\s+(?:so|because|but|since) /i,
  );
  return clauses.flatMap((clause) => {
    const start = Math.max(0, sentence.indexOf(clause, at));
    at = start + clause.length;
    for (const { pattern, verb } of postfix) {
      const found = pattern.exec(clause);
      const groups = found?.groups;
      if (found === null || groups === undefined) continue;
      const participle = groups.participle?.toLowerCase();
      const what = (groups.subject ?? '')
        .trim()
        .replace(/^(?:ok|so|and|but|also|note|please|one general thing|generally|remember)[,:]? /i, '');
      if (/^(?:it|this|that|they|these|those|there|nothing|everybody|everyone|who|which)$/i.test(what))
        if (
          verb !== 'ban' ||
          !/^(?:it|they)$/i.test(what) ||
          !/not allowed|forbidden|banned|prohibited/i.test(found[0])
        )
          continue;
      return [
        {
          verb: verb ?? baseOf[participle ?? ''] ?? 'use',
          object: what,
          before: `${earlier}${sentence.slice(0, start)}`,
          after: `${clause.slice(found[0].length)}${sentence.slice(at)}`,
          sentence,
          isState: true,
        },
      ];
    }
    return [];
  });
}

const adverbs =
  '(?:ever|again|directly|just|simply|manually|automatically|blindly|accidentally|silently|really|please|you|also|even|actually|start|begin|try to|try|to|be|go and|randomly|locally|ever again|suddenly|hand-|want|let yourself|attempt to)';
const verbs: Record<string, RegExp> = {
  import: /^import(?:ing|s)?\b/i,
  edit: /^(?:(?:hand-?)?edit|touch|modif|chang|updat|overwrit|alter|mess(?:ing)? (?:with|around in)|refactor|rewrit|reformat|patch|tamper with|writ(?:e|ing) (?:in)?to|manipulat|clean(?:ing)? up|renam|mov(?:e|ing) (?=files|anything))(?:e|ing|ting|y|ying|es)?\b/i,
  create: /^(?:creat|generat|put|plac|mak|nest)(?:e|ing|ting)?\b/i,
  delete: /^(?:delet|remov)(?:e|ing)\b/i,
  commit: /^(?:commit(?:ting)?|check(?:ing)? in|stag(?:e|ing)|git add)\b(?= \S)/i,
  read: /^(?:read(?:ing)?|open(?:ing)?|look(?:ing)? (?:at|into)|dump(?:ing)?|view(?:ing)?|cat(?:ting)?)\b/i,
  run: /^(?:run|running|execut(?:e|ing)|invok(?:e|ing)|launch(?:ing)?|kick(?:ing)? off|do|doing|trigger(?:ing)?)\b/i,
  start: /^(?:start(?:ing)?|spin(?:ning)? up|restart(?:ing)?|boot)\b/i,
  add: /^(?:add(?:ing)?|introduc(?:e|ing)|reintroduc(?:e|ing)|bring(?:ing)? (?:back|in)|pull(?:ing)? in|includ(?:e|ing)|leav(?:e|ing)(?: in)?|sprinkle)\b/i,
  install: /^install(?:ing|s)?\b/i,
  write: /^writ(?:e|ing)\b/i,
  call: /^call(?:ing)?\b/i,
  use: /^(?:us(?:e|ing|age of)|depend(?:ing)? on|reach(?:ing)? for|rel(?:y|ying) on|go(?:ing)? (?:back to|for|with)|switch(?:ing)? (?:back )?to|requir(?:e|ing)|hav(?:e|ing)|need(?:ing)?|want(?:ing)?|see(?:ing)?|suggest(?:ing)?|propos(?:e|ing)|us\b|return(?:ing)?|throw(?:ing)?|mix(?:ing)? in|apply(?:ing)?|like|prefer|return to|fall(?:ing)? back (?:to|on)|resort(?:ing)? to|export(?:ing)?(?= (?!default))|recommend|mention|emit|set|declare|define)\b/i,
};

/** Takes the verb off the words after a negation. A verb that is not known stays: "force push", "deploy". */
function verbOf(words: string): { verb: string; object: string } {
  const rest = words.replace(new RegExp(`^(?:${adverbs}\\s+)+`, 'i'), '');
  for (const [verb, pattern] of Object.entries(verbs)) {
    const found = pattern.exec(rest);
    if (found === null) continue;
    const object = rest.slice(found[0].length).trim();
    // "don't edit or delete X"
    const next = /^(?:,? ?(?:or|and|nor|\/) ?)(?=\w)/i.exec(object);
    if (next !== null) {
      const second = verbOf(object.slice(next[0].length));
      if (second.verb !== '') return { verb, object: second.object };
    }
    return {
      verb,
      object: object.replace(/^(?:up|out|to|into|in|on)\s+(?=\S)/i, (word) =>
        verb === 'create' || verb === 'add' ? word : '',
      ),
    };
  }
  return { verb: '', object: rest };
}

/** "instead of using X", "no importing from X". */
function gerundOf(words: string): { verb: string; object: string } {
  const change =
    /^(?:manual |direct |hand )?(?:changes?|edits?|modifications?|editing|touching)(?: (?:to|in|inside|under|of))?(?= |$)/i.exec(
      words,
    );
  if (change !== null) return { verb: 'edit', object: words.slice(change[0].length).trim() };
  const found = /^(?:in |on |to |by |with )?(\w+ing)\b/i.exec(words);
  if (found !== null) return verbOf(words.replace(/^(?:in|on|to|by|with) /i, ''));
  return { verb: '', object: words.replace(/^(?:in|with|to|by|on|from|as|via) (?=\S)/i, '') };
}

const clauseStart =
  "(?:use|uses|using|we|we're|it|it's|its|they|they're|you|i|i'm|i'll|that|this|there|always|prefer|only|just|write|make|put|let|edit|change|run|go|keep|ask|tell|because|so|but|instead|even|not even|also|everything|please|if|since|as|which|who|then|stick|do|take|switch|create|add|call|import|everyone|everybody|nobody|otherwise|the|our|my|in|for|even if|ever|thanks|reinstalling|every|all|plain|native|has|have|is|are|was|too|same|unless|except|at least|regardless|import|deploying)";
const cut = new RegExp(
  `\\s+(?:because|since|so that|so\\b|as (?:it|they|we|this|that|the|i)\\b|when|whenever|while|until|till|if|unless|except|but|instead|anymore|any more|any longer|again|please|pls|plz|thanks|thank you|ever|at all|for now|either|from you|by hand|manually|yourself|directly(?! (?:to|on|into|in) )|here|without|outside|last (?:year|week|month|time|summer|winter|spring)|yesterday|years? ago|a while ago|blindly|at (?:the )?top|other than|apart from|against|is|are|was|were|will|would|which|that (?:is|are|was|were|has|have|we|i)|even|after|before|anywhere|everywhere|any time|under any|no matter|under no|even though|though|although|due to|on this machine|in this|like last time|it'?s|to(?= (?!the |main|master|prod|origin)[a-z]+ ))(?![\\w-]).*$|[,:]\\s+(?:and |or |but )?${clauseStart}(?![\\w/.-]).*$|\\s+and (?:use|we|it|always|prefer|only|then|write|put|keep|tell|ask|run|the)\\b.*$|,\\s+\\w+(?: \\S+)? instead\\b.*$|\\s+over (?:my|our|the|all|your)\\b.*$`,
  'i',
);

/** Separates the object from reasons, conditions and the next clause. */
function objectOf(words: string): { kept: string; after: string } {
  // The object may be missing: "commit without …".
  const padded = ` ${words}`;
  const found = cut.exec(padded);
  const kept = found === null ? padded : padded.slice(0, found.index);
  // `./...` keeps its dots.
  return {
    kept: kept
      .replace(/[\s,:!?]+$/, '')
      .replace(/(?<![/.])\.+$/, '')
      .trim(),
    after: found?.[0] ?? '',
  };
}

const failure =
  "(?:leak\\w*|broke|breaks?|broken|fail(?:s|ed|ing)?|crash\\w*|hang\\w*|hung|(?:did|does|do|would)(?:n't| not) (?:work|help|scale|support|fit|play|compile|build|solve|fix)\\w*|(?:was|is|were|are|got|too|way too) (?:too )?(?:slow|flaky|heavy|buggy|unstable|big|much)|caus\\w+|corrupt\\w*|deadlock\\w*|tim(?:es|ed|ing)? out|timeouts|blew up|blows up|explod\\w*|ran out|runs out|kill(?:s|ed)|ate|eats|ruin\\w*|lost|loses|los(?:t|es)|dropp?(?:s|ed)|never worked|no luck|made (?:it|things|everything|the|our)|doubl\\w+|dead end|gave up|backed (?:it )?out|rolled back|reverted|wasn't|isn't|conflict\\w*|races?\\b|stops?|stopped)";
const tried =
  /(?:^|[\s,(])(?:tried|attempted|experimented with|tested out|went with|moved to|moving to|migrated to|migrating to|switched to|switching to|switch to|gave|used|using|trying|upgrading to|upgraded to|bumping to|bumped to|replacing .{1,40} with|replaced .{1,40} with|(?:switch|mov|migrat)(?:ed|ing) .{1,30}? to|running|ran)\s+(?:(?:to|out|it with|using|use|with|run|running|add|adding|install|installing|switch(?:ing)? to|upgrad(?:e|ing)(?: to)?|bump(?:ing)?(?: to)?|mov(?:e|ing)(?: it| everything)? to|once|already|twice|again)\s+)*(.+)/i;

/**
 * What a report of a failure says was tried: the first name in it. The repair that may follow is not part of it.
 */
export function failedAttempts(text: string): Prohibition[] {
  const [heading] = /^[^\s:,.]{2,40}(?=: )/.exec(text) ?? [];
  const end = new RegExp(`[\\s,:(=]+(?:and |but |it |that |which |just |also |always )*${failure}`, 'i').exec(
    text,
  )?.index;
  const report = text.slice(0, end ?? /[.!?](?:\s|$)/.exec(text)?.index ?? text.length);
  const named = tried.exec(report)?.[1];
  const words = [heading, named, report].filter((one) => one !== undefined && one !== '');
  return words.map((object) => ({
    verb: 'use',
    object: object as string,
    before: '',
    after: '',
    sentence: text,
    isReport: true,
  }));
}
