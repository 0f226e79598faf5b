import { expand } from './code-spans.ts';
import { fileKind } from './file-kinds.ts';

export const quantifiers =
  /^(?:(?:the|a|an|any|our|my|your|all|some|those|these|this|that|its|of|kind of|stuff like|things like|such as|calls? to|us(?:e|age) of|direct|directly|plain|bare|raw|system|global|naked|normal|regular|ordinary|old|existing|new|additional|extra|more|random|unnecessary|stray|leftover|left-over|just|like|with|via|up|out|even|another|other|third-party|stdlib|standard|built-?in|builtin|vanilla|classic)\s+)+(?=\S)/i;

export const extension =
  /\.(?:[cm]?[jt]sx?|json[c5]?|md|mdx|ya?ml|toml|lock|lockb|py|pyi|rs|go|java|kt|rb|php|cs|ex|exs|sql|sh|css|scss|html|vue|svelte|proto|env|ini|cfg|conf|txt|xml|gradle|tf|tfvars|snap|csv|prisma|graphql|properties|sln|csproj|ipynb|swift|dart|sum|mod|erb|hbs|lua|pem|key)$/i;

const wellKnownFile =
  /^(?:Dockerfile|Makefile|Gemfile|Procfile|Jenkinsfile|Vagrantfile|README|LICENSE|CHANGELOG|CODEOWNERS|AGENTS|CLAUDE)(?:\.\w+)?$/;

export const libraryFile =
  /^(?:moment|chart|three|day|vue|react|node|next|nuxt|express|d3|backbone|ember|angular|p5|socket|underscore|require|alpine|video|highlight|anime|matter|knockout|handlebars|mustache|pdf|popper|hammer|typed|swiper|fabric|konva|phaser|babylon|tone|ml5|brain|tensorflow|bignumber|decimal|big)\.js$/i;

/** Whether a word names a file or folder. */
export function isPathLike(word: string): boolean {
  if (word === '' || /\s/.test(word) || /^[a-z]+:\/\//i.test(word) || libraryFile.test(word)) return false;
  if (/^@[\w-]+\/[\w.-]+$/.test(word)) return false;
  return (
    (/[*]/.test(word.replace(/^\*$/, '')) && /[./\\]/.test(word)) ||
    (/^\.[a-z][\w.-]*(?:\/|$)/i.test(word) &&
      !/^\.(?:then|skip|only|unwrap|foreach|map|reduce|catch|expect|format|forEach)\b/i.test(word)) ||
    /^(?:~|\.{1,2})?\/\S/.test(word) ||
    (/^[\w@.*-]+\/(?:[\w@.*()[\]-]+\/?)*$/.test(word) &&
      !/^(?:and|or|either|read|yes|true|on|i|async|try|get|create|add|n|w|client|input|start|pros)\/\w+$/i.test(
        word,
      )) ||
    (extension.test(word) && !/^[A-Z]\w+\.(?:Json|Xml|Sql|Html)$/.test(word)) ||
    /^__\w+__$/.test(word) ||
    wellKnownFile.test(word)
  );
}

/** A folder matches with everything in it. */
export function globsOf(path: string): string[] {
  const bare = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/|~\/|\/(?!\w+\/\w+\/\w+))/, '')
    .replace(/\/(?:\*\*?)?$/, '');
  return /[*]/.test(bare) || extension.test(bare) ? [bare] : [bare, `${bare}/**`];
}

/** The globs of files that an expression names. */
export function filesOf(words: string, spans: Map<string, string>): string[] | undefined {
  const text = expand(words, spans)
    .replace(
      /^(?:any|every|some)(?:thing|one)?(?: that is| that's)? (?:in|under|inside|below|within|from|at|of)\s+|^(?:the )?(?:files?|code|stuff|things?|content|contents) (?:in|under|inside|below|within|from|at|of)\s+|^everything (?:in|under|inside|below|within)\s+/i,
      '',
    )
    .replace(quantifiers, '')
    .trim();
  const kind = fileKind(text);
  if (kind !== undefined) return kind;
  const folder =
    /^(?:folder|directory|dir|path|file|files|package|module)s?\s+(\S+)$|^(\S+)\s+(?:folder|directory|dir|tree|subtree|files?|file itself|package|module|code)s?$/i.exec(
      text,
    );
  const name = (folder?.[1] ?? folder?.[2] ?? text).replace(/[,:;]+$/, '');
  if (/\s/.test(name)) {
    const paths = name.split(/\s+/).filter((word) => isPathLike(word));
    return paths.length === 1 ? globsOf(paths[0] as string) : undefined;
  }
  if (isPathLike(name)) return globsOf(name);
  const isFolder = folder !== null && /folder|director|dir\b|tree/i.test(text);
  if (isFolder && /^[\w.-]+$/.test(name)) return globsOf(`${name}/`);
  return knownFolders.has(name.toLowerCase()) ? globsOf(`${name}/`) : undefined;
}

const knownFolders = new Set(
  'vendor node_modules dist build generated legacy third_party __generated__ target out'.split(' '),
);
