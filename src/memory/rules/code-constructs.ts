import { endings, markupFiles, scriptFiles, styleFiles, typedFiles } from './file-kinds.ts';
import type { TextMatcher } from './rule-table.ts';

type Construct = [words: RegExp, pattern: string, options?: Partial<TextMatcher>];

const script = { inside: scriptFiles };
const typed = { inside: typedFiles };
const python = { inside: endings('py pyi') };
const remark = { inComments: true } as const;
const anywhere = { inComments: true, inAllFiles: true } as const;

/**
 * Things in code that people name in words, with the pattern of the text that adds one. The words are the object of a
 * prohibition, without article and in lower case.
 */
const constructs: Construct[] = [
  [
    /^default[- ]exports?$|^export(?:ing)? defaults?$/,
    '\\bexport\\s+default\\b|\\bas\\s+default\\s*\\}',
    script,
  ],
  [/^named exports?$/, '\\bexport\\s+(?:const|let|async|function|class)\\b', script],
  [/^(?:star|wildcard|glob|namespace)[- ](?:re-?)?exports?$|^export \*$/, '\\bexport\\s+\\*', script],
  [
    /^(?:star|wildcard|glob|namespace)[- ]imports?$|^import \*$/,
    '\\bimport\\s+\\*|^\\s*from\\s+\\S+\\s+import\\s+\\*|^import\\s+(?:static\\s+)?[\\w.]+\\.\\*',
  ],
  [
    /^barrel(?: (?:files?|exports?|imports?))?s?$/,
    '\\bexport\\s+(?:\\*|\\{[^}]*\\})\\s+from\\b',
    { inside: ['index.*'] },
  ],
  [
    /^(?:explicit )?any(?: types?)?$|^(?:the )?type any$|^any casts?$/,
    '(?::\\s*|\\bas\\s+|<\\s*|,\\s*|\\|\\s*)any\\b(?![\'"\\w-])',
    typed,
  ],
  [/^as any(?: casts?)?$/, '\\bas\\s+any\\b', typed],
  [/^(?:ts |typescript )?enums?$/, '^\\s*(?:export\\s+)?(?:declare\\s+)?(?:const\\s+)?enum\\s+\\w', typed],
  [/^(?:react )?class(?:-based)? components?$/, '\\bextends\\s+(?:React\\.)?(?:Pure)?Component\\b', script],
  [/^(?:es6? )?class(?:es)?$/, '^\\s*(?:export\\s+(?:default\\s+)?)?(?:abstract\\s+)?class\\s+\\w', script],
  [/^(?:ts |typescript )?interfaces?$/, '^\\s*(?:export\\s+)?interface\\s+\\w', typed],
  [/^type alias(?:es)?$/, '^\\s*(?:export\\s+)?type\\s+\\w[^=\\n]*=', typed],
  [/^namespaces?$/, '^\\s*(?:export\\s+)?(?:declare\\s+)?namespace\\s+\\w', typed],
  [/^var(?:s| declarations?| keyword)?$/, '(?:^|[\\s;({])var\\s+[\\w{[]', script],
  [/^let(?: declarations?)?$/, '(?:^|[\\s;({])let\\s+[\\w{[]', script],
  [/^evals?(?:\(\))?(?: calls?)?$/, '(?<![\\w.])eval\\s*\\('],
  [/^(?:trailing )?semi-?colons?$/, ';[ \\t]*$', script],
  [
    /^tabs?(?: characters?| indentation)?$|^indent(?:ing)? with tabs$/,
    '^\\t+\\S',
    { inside: [...scriptFiles, ...styleFiles, ...endings('py rb java cs rs html')] },
  ],
  [/^(?:any )?emojis?$/, '\\p{Emoji_Presentation}|\\uFE0F', anywhere],
  [/^em[- ]?dash(?:es)?$/, '—', anywhere],
  [/^to-?dos?(?: comments?| markers?)?$/, '\\bTODO\\b', anywhere],
  [/^fixmes?(?: comments?)?$/, '\\bFIXME\\b', anywhere],
  [/^(?:code |inline |line )?comments?$/, '^\\s*(?://|#(?!!)|/\\*)', remark],
  [
    /^inline[- ]?styles?$|^style (?:props?|attributes?)$|^inline css$/,
    '\\bstyle\\s*=\\s*(?:\\{\\{|["\'])|:style\\s*=',
    { inside: markupFiles },
  ],
  [
    /^!important(?: rules?| flags?)?$|^important (?:in css|flags?)$/,
    '!\\s*important',
    { inside: [...styleFiles, ...scriptFiles, '*.html'] },
  ],
  [
    /^console(?:\.| )?(?:logs?|logging)(?:\(\))?(?: statements?| calls?)?$/,
    '(?<![\\w.])console\\.log\\s*\\(',
  ],
  [/^console(?: statements?| calls?|\.\*)?$/, '(?<![\\w.])console\\.\\w+\\s*\\('],
  [
    /^print(?:s|\(\))?(?: statements?| calls?| debugging)?$/,
    '(?<![\\w.])print\\s*\\(',
    { inside: endings('py swift kt dart') },
  ],
  [/^println!?(?:\(\))?(?: macros?| calls?| statements?)?$/, '\\bprintln!?\\s*\\('],
  [/^debuggers?(?: statements?)?$/, '\\bdebugger\\b', script],
  [
    /^breakpoints?(?:\(\))?$/,
    '\\bbreakpoint\\s*\\(\\)|\\bpdb\\.set_trace\\b|\\bdebugger\\b|\\bbinding\\.pry\\b',
  ],
  [/^@?ts-?ignores?(?: comments?)?$/, '@ts-ignore|@ts-nocheck', remark],
  [/^@?ts-expect-errors?(?: comments?)?$/, '@ts-expect-error', remark],
  [
    /^(?:disabl|suppress|ignor|silenc)\w+ (?:any |the |our |some )*(?:eslint|lint(?:er|ing)?|biome|ruff|mypy|type|rubocop)\b.*$|^(?:eslint|linter?|lint)[- ]?(?:disables?|ignores?|suppressions?)(?: comments?| directives?)?$/,
    'eslint-disable|biome-ignore|# ?noqa|rubocop:disable|#\\[allow\\(|nolint',
    remark,
  ],
  [/^# ?noqas?(?: comments?)?$|^noqas?(?: comments?)?$/, '# ?noqa', remark],
  [/^(?:# ?)?type: ?ignores?(?: comments?)?$/, '#\\s*type:\\s*ignore', remark],
  [/^non-?null(?: assertions?| operators?)?$/, '[\\w)\\]]!(?=[.;,)\\]\\[])', typed],
  [/^(?:type (?:assertions?|casts?)|as casts?|casts? with as)$/, '\\bas\\s+(?!const\\b)[A-Za-z{]', typed],
  [
    /^(?:parent[- ])?relative imports?$/,
    '(?:\\bfrom|\\bimport|\\brequire\\()\\s*[\'"]\\.\\.?/|^\\s*from\\s+\\.',
  ],
  [/^deep (?:relative )?imports?$/, '[\'"](?:\\.\\./){2}'],
  [/^require(?:s|\(\))?(?: calls?| statements?)?$/, '(?<![\\w.])require\\s*\\(', script],
  [
    /^common ?js(?: modules?| syntax| requires?| imports?)?$|^cjs$/,
    '(?<![\\w.])require\\s*\\(|\\bmodule\\.exports\\b|^\\s*exports\\.\\w+\\s*=',
    script,
  ],
  [/^arrow[- ]functions?$/, '=>', script],
  [
    /^(?:function (?:declarations?|keywords?|statements?)|function)$/,
    '^\\s*(?:export\\s+(?:default\\s+)?)?(?:async\\s+)?function\\b',
    script,
  ],
  [/^async ?[/-]? ?await$|^async functions?$/, '\\b(?:async|await)\\s'],
  [/^(?:promise |\.)?then(?:\(\)|s)?(?: chains?| calls?)?$|^promise chains?$/, '\\.then\\s*\\(', script],
  [
    /^nested ternar(?:y|ies)(?: operators?| expressions?)?$/,
    '\\s\\?\\s[^?:\\n]+\\s\\?\\s[^:\\n]+:|\\s\\?\\s[^?:\\n]+:[^?:\\n]+\\s\\?\\s[^:\\n]+:',
    script,
  ],
  [/^ternar(?:y|ies)(?: operators?| expressions?)?$/, '\\s\\?\\s[^:\\n]+\\s:\\s', script],
  [/^\.?for-?each(?:\(\))?(?: loops?| calls?)?$/, '\\.forEach\\s*\\('],
  [/^for[- ]?\.{0,3}in(?: loops?)?$/, '\\bfor\\s*\\(\\s*(?:const|let|var)\\s+\\w+\\s+in\\b', script],
  [/^for[- ]loops?$/, '\\bfor\\s*\\(', script],
  [/^while[- ]loops?$/, '\\bwhile\\s*\\('],
  [/^switch(?:es| statements?|[- ]cases?)?$/, '\\bswitch\\s*\\('],
  [/^else(?: blocks?| branch(?:es)?| statements?)?$/, '\\belse\\b'],
  [/^(?:bare|blanket|naked) excepts?:?(?: clauses?| blocks?)?$/, '^\\s*except\\s*:', python],
  [
    /^(?:broad|blanket|generic) exceptions?$|^except exception$|^catch(?:ing)? (?:an? |the |all |every |generic |bare )*exceptions?$/,
    '^\\s*except\\s+(?:Base)?Exception\\b|catch\\s*\\(\\s*(?:final\\s+)?Exception\\b',
  ],
  [/^empty catch(?:es| blocks?)?$/, 'catch\\s*(?:\\([^)]*\\))?\\s*\\{\\s*\\}'],
  [/^f-?strings?$/, '(?<![\\w])[fF]["\']', python],
  [/^string concatenation$/, '["\']\\s*\\+\\s*\\w|\\w\\s*\\+\\s*["\']'],
  [/^globals?(?: variables?| keyword| statement)?$/, '^\\s*global\\s+\\w', python],
  [/^lambdas?(?: functions?| expressions?)?$/, '\\blambda\\b[^:\\n]*:', python],
  [/^\.?unwraps?(?:\(\))?(?: calls?)?$/, '\\.unwrap\\s*\\(\\s*\\)', { inside: endings('rs') }],
  [/^\.?expects?(?:\(\))? in rust$/, '\\.expect\\s*\\(', { inside: endings('rs') }],
  [/^unsafe(?: code| blocks?| rust)?$/, '\\bunsafe\\s*(?:\\{|fn\\b|impl\\b)'],
  [/^panics?!?(?:\(\))?(?: calls?| macros?)?$/, '\\bpanic!?\\s*\\('],
  [/^goto(?:s| statements?)?$/, '\\bgoto\\s+\\w'],
  [/^nulls?$/, '(?<![\\w.\'"])null\\b', script],
  [
    /^sleeps?(?:\(\))?(?: calls?| statements?)?$|^(?:hard-?coded|fixed|arbitrary) (?:sleeps?|waits?|timeouts?|delays?)$/,
    '(?<![\\w])(?:time\\.|Thread\\.|asyncio\\.|thread::)?[sS]leep\\s*\\(|\\bwaitForTimeout\\s*\\(|\\bcy\\.wait\\(\\d',
  ],
  [
    /^(?:raw|inline|string|hand-?written|plain) sql(?: strings?| queries| statements?)?$|^sql strings?$/,
    '\\b(?:SELECT|select)\\s[^\\n]+\\s(?:FROM|from)\\s|\\b(?:INSERT\\s+INTO|insert\\s+into|DELETE\\s+FROM|delete\\s+from)\\s|\\b(?:UPDATE|update)\\s+\\w+\\s+(?:SET|set)\\s',
  ],
  [/^select ?\*(?: queries| statements?)?$|^select stars?$/, '\\b[Ss][Ee][Ll][Ee][Cc][Tt]\\s+\\*'],
  [
    /^snapshot(?: tests?| testing| assertions?)?s?$/,
    '\\btoMatch(?:Inline)?Snapshot\\b|\\bassert_snapshot|\\bsnapshot\\.assert_match',
  ],
  [
    /^(?:jest |vi |module )?mock(?:s|ing|ed|ed modules?| functions?| modules?| objects?)?$/,
    '\\b(?:jest|vi)\\.(?:mock|fn|spyOn|doMock)\\b|\\bsinon\\.\\w+|\\bmock\\.patch\\b|@(?:mock\\.)?patch\\b|\\bMagicMock\\b|\\bMock\\(|\\bmock\\(|@Mock\\b',
  ],
  [
    /^(?:\.only|(?:it|test|describe)\.only|only tests?|focus(?:s?ed)? tests?)$/,
    '\\b(?:it|test|describe|context)\\.only\\b|\\bf(?:it|describe)\\s*\\(',
  ],
  [
    /^(?:\.skip|(?:it|test|describe)\.skip|skip(?:ped|ping)?(?: (?:failing |broken |flaky |any )?tests?)?|disabled? tests?)$/,
    '\\b(?:it|test|describe|context)\\.skip\\b|\\bx(?:it|describe|test)\\s*\\(|@pytest\\.mark\\.skip|@unittest\\.skip|@Ignore\\b|@Disabled\\b|#\\[ignore|\\bt\\.Skip\\(|\\[Skip|Skip\\s*=',
  ],
  [
    /^(?:hard-?cod(?:ed?|ing) |raw )?(?:hex )?colou?rs?(?: values?| codes?)?$|^hex(?: values?| codes?)$/,
    '#[0-9a-fA-F]{3,8}\\b|\\brgba?\\(',
    { inside: [...styleFiles, ...markupFiles, '*.ts', '*.js'] },
  ],
  [
    /^(?:hard-?cod(?:ed?|ing) )?(?:px|pixels?)(?: values?| units?| sizes?)?$/,
    '(?<![\\w.])\\d+(?:\\.\\d+)?px\\b',
    { inside: [...styleFiles, ...markupFiles, '*.ts', '*.js'] },
  ],
  [/^floats?$/, '\\bfloat\\b(?!:)'],
  [/^optional chaining$/, '\\?\\.(?!\\d)', script],
  [/^innerhtml$/, '\\binnerHTML\\b|\\bdangerouslySetInnerHTML\\b'],
  [
    /^(?:single|one)[- ](?:letter|character|char) (?:variables?|names?|variable names?|identifiers?)$/,
    '\\b(?:const|let|var)\\s+[a-zA-Z]\\s*=',
    script,
  ],
  [/^(?:http|plain http|unencrypted http) urls?$/, '["\']http://(?!localhost|127\\.|0\\.0)'],
  [/^decorators?$/, '^\\s*@\\w+', script],
  [/^inheritance$/, '\\bclass\\s+\\w+\\s+extends\\s'],
  [/^getters?(?: and setters?)?$/, '^\\s*(?:get|set)\\s+\\w+\\s*\\(', script],
  [/^jquery$/, '(?<![\\w$])(?:\\$|jQuery)\\s*\\(\\s*[\'"#.(]'],
];

/** The matcher of a thing in code that has a name in words. */
export function codeConstruct(words: string): TextMatcher | undefined {
  const found = constructs.find(([name]) => name.test(words));
  if (found === undefined) return mockOf(words);
  const [, pattern, options = {}] = found;
  return { on: 'text', pattern, ...options };
}

/** "mock the database": a mock whose line names it. */
function mockOf(words: string): TextMatcher | undefined {
  const thing =
    /^(?:mock|stub)(?:s|ing)?(?: of| out)? (?:the |our |any |your )*(\w{2,30})(?: (?:layer|calls?|module|client))?s?$/.exec(
      words,
    )?.[1];
  if (thing === undefined) return undefined;
  const names =
    thing === 'database' || thing === 'db' ? 'db|database|prisma|knex|sequelize|mongoose|repository' : thing;
  return {
    on: 'text',
    pattern: `(?:\\b(?:jest|vi)\\.(?:mock|doMock|spyOn)|\\b(?:mock\\.|mocker\\.)?patch|\\bsinon\\.\\w+|\\bmock)\\s*\\([^\\n]*(?:${names})`,
  };
}
