import { expand } from './code-spans.ts';
import { rivalsOf } from './command-phrases.ts';
import { fileKind } from './file-kinds.ts';
import { importOf } from './named-code.ts';
import { globsOf, isPathLike, quantifiers } from './named-files.ts';
import type { Matcher } from './rule-table.ts';

/** "Nothing in domain/ may import from infrastructure/", "never import from ../server in client/". */
export function importBans(text: string, spans: Map<string, string>): Matcher[] {
  const found =
    /\b(?:nothing|no (?:code|file|module)s?|code|files?|modules?) (?:in|under|inside|below|from) (?:the )?(\S+?)(?: folder| layer| module| package)? (?:may|should|must|can|is allowed to|are allowed to)(?: ever)?( not| never|n't)? (?:import|depend on|know about|use|reference|require)(?: anything)?(?: from| on)? (?:the )?(\S+)/i.exec(
      text,
    ) ??
    /\b()(?:never|do not|don't|dont|must not|no|avoid)( ) ?import(?:s|ing)?(?: anything| code| stuff)? from (?:the )?(\S+)/i.exec(
      text,
    );
  if (found === null) return [];
  const [, where = '', negated, what = ''] = found;
  if (/^\b(?:code|files?|modules?)/i.test(found[0]) && negated === undefined) return [];
  const target = expand(what, spans).replace(/[,.;:)]+$/, '');
  const place = expand(where, spans).replace(/[,.;:)]+$/, '');
  if (target === '' || /^(?:the|it|there|other|another|each)$/i.test(target)) return [];
  const inside =
    place === ''
      ? /\b(?:in|inside|under|from within) (?:the )?(\S+\/)\S*(?:[,.]|$)/i.exec(
          text.slice(found.index + found[0].length),
        )?.[1]
      : place;
  const isPath = isPathLike(target) || place !== '';
  const matcher = isPath ? importOf(target) : ({ on: 'package', name: target.toLowerCase() } as const);
  return [
    inside === undefined || inside === ''
      ? matcher
      : { ...matcher, inside: globsOf(`${inside.replace(/\/$/, '')}/`) },
  ];
}

/** "tests go in test/, not next to the source": a new test file elsewhere goes against it. */
export function placements(text: string, spans: Map<string, string>): Matcher[] {
  const found =
    /(?:^|[.;,!?\n]\s*|\b(?:all|new|every|our|put|keep|place)\s+)((?:unit |e2e |integration |new |all )*[\w.*\uE100-\uE1FF-]+(?: files?)?)(?: (?:only |always |must |should |all )*(?:go|goes|belongs?|lives?|sits?|stay|stays|are|is|be placed|be put|be)(?: only| always)?)?(?: placed| put| kept| located)? (?:only )?(?:in|under|inside|into|below) (?:the )?(\S+)(?=\s|$)(?! (?:that|which|must|should|may|never|cannot|can't|is|are) )/i.exec(
      text,
    );
  if (found === null) return [];
  const [, what = '', where = ''] = found;
  const kind = fileKind(expand(what, spans).replace(quantifiers, ''));
  const place = expand(where, spans).replace(/[,.;:)]+$/, '');
  if (
    kind === undefined ||
    !isPathLike(place) ||
    /^(?:no|not|never|don't)\b/i.test(text.slice(0, found.index + 6).trim())
  )
    return [];
  if (
    /\b(?:don't|dont|do not|never|no|not|avoid|stop|edit|touch|delete|import)\b[^,.;]*$/i.test(
      text.slice(0, found.index + found[0].indexOf(what)),
    )
  )
    return [];
  const named = kind.filter((glob) => !glob.endsWith('/**'));
  return [{ on: 'path', globs: named.length === 0 ? kind : named, change: 'new', outside: globsOf(place) }];
}

/** "only pnpm", "pnpm only": the others of its family are ruled out. */
export function exclusive(text: string, spans: Map<string, string>): Matcher[] {
  const plain = expand(text, spans).toLowerCase();
  const found =
    /(?:^|[\s,(])(?:only(?: ever)?(?: use| using| run| with)?|exclusively|nothing but) ([a-z][\w-]*)(?![\w-])|(?:^|[\s,(])([a-z][\w-]*) (?:only|exclusively)(?=[\s,.!]|$)/.exec(
      plain,
    );
  const program = found?.[1] ?? found?.[2] ?? '';
  const rivals = rivalsOf(program);
  return rivals.length === 0 ? [] : [{ on: 'command', programs: rivals, except: [program] }];
}
