import { escapePattern } from '../../text/escape-pattern.ts';
import { commonWords } from './named-commands.ts';
import { isPathLike, libraryFile } from './named-files.ts';
import type { Matcher, TextMatcher } from './rule-table.ts';

/** Programs that projects also depend on as packages. */
export const libraryPrograms = new Set(
  'jest vitest mocha karma ava playwright cypress eslint prettier biome oxlint stylelint webpack vite rollup esbuild parcel babel gulp grunt prisma knex sequelize typeorm drizzle-kit nodemon ts-node tsx husky lint-staged lerna nx turbo pm2 next nuxt astro expo storybook tailwindcss celery flask pytest black ruff mypy pylint alembic uvicorn gunicorn rspec rubocop'.split(
    ' ',
  ),
);

const headNouns =
  /\s+(?:packages?|librar(?:y|ies)|libs?|modules?|frameworks?|dependenc(?:y|ies)|hooks?|functions?|methods?|components?|helpers?|class(?:es)?|apis?|keywords?|types?|operators?|statements?|calls?|clients?|orm|sdk|plugins?|tools?|runner|macros?|decorators?|annotations?|crates?|gems?|attributes?|props?|tags?|directives?|imports?|comments?|utility|instances?|objects?)$/i;

/** A single name, without "the … library". */
export function nameOf(plain: string): { name: string; head: string } | undefined {
  const head = headNouns.exec(plain)?.[0].trim().toLowerCase() ?? '';
  const name = plain
    // German joins a name with a word: "setTimeout-Sleeps".
    .replace(/^([a-z]+[A-Z]\w*|\w+\(\)|\w+\.\w+)-[A-Z]\w+$/, '$1')
    .replace(headNouns, '')
    .replace(/^(?:packages?|library|module|function|method|hook|component|class|helper|decorator)\s+/i, '')
    .replace(/[,:;]+$/, '')
    .trim();
  const alias = aliases[name.toLowerCase()];
  if (alias !== undefined) return { name: name.toLowerCase(), head };
  const version = /^([@\w./-]+) (?:v(?:ersion )?)?(\d[\w.]*)$/i.exec(name);
  if (version !== null) return { name: `${version[1]}@${version[2]}`, head };
  if (/\s/.test(name)) {
    const isProperName =
      name.split(/\s+/).length <= 3 && name.split(/\s+/).every((word) => /^[A-Z][\w.]*$/.test(word));
    return isProperName ? { name: name.toLowerCase().replace(/\s+/g, '-'), head: 'library' } : undefined;
  }
  return { name, head };
}

export const aliases: Record<string, string[]> = {
  tailwind: ['tailwindcss'],
  'tailwind css': ['tailwindcss'],
  redux: ['redux', 'react-redux', '@reduxjs/toolkit'],
  mui: ['@mui/material'],
  'material ui': ['@mui/material'],
  'styled components': ['styled-components'],
  'react query': ['react-query', '@tanstack/react-query'],
  'tanstack query': ['@tanstack/react-query'],
  'react router': ['react-router', 'react-router-dom'],
  'ant design': ['antd'],
  'chakra ui': ['@chakra-ui/react'],
  chakra: ['@chakra-ui/react'],
  'next auth': ['next-auth'],
  nextauth: ['next-auth'],
  beautifulsoup: ['beautifulsoup4', 'bs4'],
  'beautiful soup': ['beautifulsoup4', 'bs4'],
  opencv: ['opencv-python', 'cv2'],
  pillow: ['pillow', 'pil'],
  pyyaml: ['pyyaml', 'yaml'],
  sklearn: ['scikit-learn', 'sklearn'],
  'scikit-learn': ['scikit-learn', 'sklearn'],
  bootstrap: ['bootstrap', 'react-bootstrap'],
  jquery: ['jquery'],
  enzyme: ['enzyme'],
  'date fns': ['date-fns'],
  'framer motion': ['framer-motion'],
  'day.js': ['dayjs'],
  'lodash.debounce': ['lodash.debounce', 'lodash/debounce'],
};

export function packageMatchers(name: string): Matcher[] {
  const [, bare = name, version] = /^(@?[^@]+)@(.+)$/.exec(name) ?? [];
  const lower = bare
    .toLowerCase()
    .replace(/\.js$/, (ending) =>
      libraryFile.test(bare) && !/^chart|^socket|^three/i.test(bare) ? '' : ending,
    );
  const names = aliases[lower] ?? [lower, ...(/^three\.js$/.test(lower) ? ['three'] : [])];
  return names.map((one) => ({ on: 'package', name: one, ...(version === undefined ? {} : { version }) }));
}

export const codeLike =
  /^:\w|^https?:\/\/|[a-z][A-Z]|\w\.\w|\(\)?|^@\w|^\$\w|::|->|^<\w|_\w|\w_|!$|^#\w|^\.\w/;

/** A name can be a package, a program or a symbol. Each is matched only where such a name can stand. */
export function nameMatchers(
  { name, head }: { name: string; head: string },
  verb: string,
  isCode: boolean,
  isForPurpose: boolean,
): Matcher[] {
  if (name.length < 2 || name.length > 80 || /^[\d.,-]+$/.test(name)) return [];
  const lower = name.toLowerCase();
  if (
    !isCode &&
    (commonWords.has(lower) ||
      (head === '' &&
        /^(?:be|been|have|remove|live|go|do|make|keep|work|wait|\w+ing|\w{3,}ed|\w{3,}ly)$/.test(lower)) ||
      !/^[@$<#.:\w][\w@./$<>!:()#+-]*$/.test(name))
  )
    return [];
  if (verb === 'import' && isPathLike(name)) return [importOf(name)];
  if (isPathLike(name) && !/^[@\w-]+\/[\w-]+$/.test(name)) return [];
  const isSymbolHead =
    /^(?:hook|function|method|component|helper|class|keyword|type|operator|macro|decorator|annotation|attribute|prop|tag|directive|call|statement|comment)s?$/.test(
      head,
    );
  const isPackageName = /^@?[\w-]+(?:[./][\w.-]+)*(?:@[\w.]+)?$/.test(name) && !isSymbolHead;
  const symbol =
    (isCode || codeLike.test(name) || isSymbolHead) &&
    verb !== 'import' &&
    verb !== 'install' &&
    !libraryFile.test(name) &&
    !/@\d/.test(name) &&
    !/^@[\w-]+\//.test(name);
  const isWordProgram = isCode || verb === 'run' || verb === 'call' || verb === 'use';
  const isCommand = isWordProgram && /^[a-z][\w-]*$/.test(name) && !commonWords.has(lower) && !isSymbolHead;
  return [
    ...(isCommand ? [{ on: 'command' as const, programs: [name] }] : []),
    ...(isPackageName ? packageMatchers(name) : []),
    ...(symbol && !(isCode && isCommon(lower) && !codeLike.test(name)) ? [symbolOf(name, isForPurpose)] : []),
  ];
}

/** Words that stand in most code. A rule about them is about something more special. */
const isCommon = (word: string): boolean =>
  commonWords.has(word) ||
  /^(?:if|for|return|const|import|from|class|function|new|this|self|def|end|null|true|false|string|number|void|main|master|name|id|key|get|set|data|error|result|value|index|item)$/.test(
    word,
  );

export function symbolOf(name: string, isUse: boolean): Matcher {
  const isCall = /\(\)?$/.test(name) || (isUse && /^\w+$/.test(name));
  const tag = /^<(\w[\w.-]*)\s*\/?>?$/.exec(name)?.[1];
  if (tag !== undefined) return { on: 'text', pattern: `<${escapePattern(tag)}(?![\\w-])` };
  const bare = name.replace(/\(\)?$/, '').trim();
  const start = /^\w/.test(bare) ? '(?<![\\w$])' : '';
  const end = isCall ? '\\s*\\(' : /\w$/.test(bare) ? '(?![\\w$])' : '';
  return {
    on: 'text',
    pattern: `${start}${escapePattern(bare).replace(/\s+/g, '\\s+')}${end}`,
    ...(/^[@#]/.test(bare) ? { inComments: true as const } : {}),
  };
}

/** An import of a file below a folder, in the forms of several languages. */
export function importOf(path: string): TextMatcher {
  const parts = path
    .replace(/^\.{1,2}\/|^@\/|^\/|\/?\*{0,2}$/g, '')
    .split('/')
    .filter((part) => part !== '');
  const inPath = parts.map(escapePattern).join('[/.]');
  return {
    on: 'text',
    pattern: `^\\s*(?:import|from|use|using|export)\\b[^\\n]*(?<![\\w-])${inPath}(?![\\w-])|(?:\\bfrom|\\brequire\\(|\\bimport\\()\\s*['"][^'"\\n]*(?<![\\w-])${inPath}(?![\\w-])`,
  };
}
