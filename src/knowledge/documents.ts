import { parseObject, text } from '../base/json.ts';
import type { KnownPart, KnownRules } from '../domain/knowledge.ts';
import { decisionsIn } from '../text/decisions.ts';
import { plain, type Section, sectionsOf, shorten } from './markdown.ts';
import { folderOf, nameOf, type ProjectTree } from './project-tree.ts';

const maxSummaryLength = 400;
const maxPartLength = 320;
const maxRuleLength = 240;
const maxParts = 14;
const maxRules = 14;
const maxRecords = 40;
const minProseLength = 40;
const minPartLength = 70;

const readme = /^readme(?:\.(?:md|markdown|rst|txt))?$/i;

/** The first paragraph of prose in the README or, without one, the manifest's description. */
export function summaryOf(tree: ProjectTree): string {
  const file = tree.paths.find((path) => readme.test(path));
  const prose = sectionsOf(withoutRst(tree.read(file ?? '')))
    .slice(0, 4)
    .flatMap(({ paragraphs }) => paragraphs)
    .find((paragraph) => paragraph.length >= minProseLength && /[a-z]{3,} [a-z]{2,}/i.test(paragraph));
  return shorten(prose ?? manifestDescription(tree), maxSummaryLength);
}

/** Removes directives and roles of reStructuredText, so that the rest can be read as Markdown. */
const withoutRst = (source: string): string =>
  source.replace(/^\.\. .*(?:\n[ \t]+\S.*)*/gm, '').replace(/:\w+:`([^`<]+?)(?:\s*<[^>]*>)?`/g, '$1');

const manifestDescription = (tree: ProjectTree): string =>
  text(parseObject(tree.read('package.json'))?.description) ||
  (/^description\s*=\s*"([^"\n]+)"/m.exec(
    `${tree.read('pyproject.toml')}\n${tree.read('Cargo.toml')}`,
  )?.[1] ??
    '');

const architecture =
  /^(?:[^/]+\/)?(?:docs?\/)?(?:architecture|design|internals|overview)\.(?:md|markdown|rst)$/i;

/** The start of each section of the architecture documents. */
export function architectureParts(tree: ProjectTree): KnownPart[] {
  return tree.paths
    .filter((path) => architecture.test(path) && !/(?:^|\/)(?:node_modules|vendor)\//.test(path))
    .slice(0, 3)
    .flatMap((source) =>
      sectionsOf(withoutRst(tree.read(source)))
        .filter(({ level, title }) => level > 0 && level <= 3 && !/^(?:table of )?contents$/i.test(title))
        .flatMap((section) => {
          const body = bodyOf(section);
          return body.length < minPartLength
            ? []
            : [{ title: section.title, text: shorten(body, maxPartLength), source }];
        })
        .slice(0, maxParts),
    );
}

const bodyOf = ({ paragraphs, items }: Section): string =>
  [...paragraphs.slice(0, 2), ...(items.length === 0 ? [] : [items.slice(0, 8).join('; ')])].join(' ');

const record = /(?:^|\/)(?:adrs?|decisions|decision-records?|rfcs?)\/(?:[^/]+\/)?\d{1,5}[-_][^/]*\.md$/i;
const decisionTitle = /^(?:decisions?|decided|decision outcome|resolution|we will)\b/i;
const inactiveStatus = /^(?:\W*status\W*)?(?:superseded|deprecated|rejected|withdrawn)\b/i;

/** Active decision records (ADRs): the title and the decision of each. */
export function decisionRecords(tree: ProjectTree): KnownPart[] {
  return tree.paths
    .filter((path) => record.test(path))
    .slice(-maxRecords)
    .flatMap((source) => {
      const sections = sectionsOf(tree.read(source));
      const title = sections.find(({ level }) => level > 0)?.title ?? nameOf(source);
      const isInactive = sections.some(
        ({ title: own, paragraphs }) => /^status$/i.test(own) && inactiveStatus.test(paragraphs[0] ?? ''),
      );
      const decision = sections.find((section) => decisionTitle.test(section.title));
      const lines = sections.flatMap(({ paragraphs }) => paragraphs);
      const body =
        decision === undefined
          ? (lines.find((line) => /^\W{0,3}(?:decided|decision)\b/i.test(line)) ?? lines[0] ?? '')
          : bodyOf(decision);
      return isInactive || body.length < minProseLength
        ? []
        : [
            {
              title,
              text: shorten(plain(body).replace(/^(?:decision|decided)\W+/i, ''), maxPartLength),
              source,
            },
          ];
    });
}

const forAgents = /^(?:AGENTS|CLAUDE|GEMINI)\.md$|^\.cursorrules$|^\.github\/copilot-instructions\.md$/;
const forPeople =
  /^(?:\.github\/|docs?\/)?(?:CONTRIBUTING|STYLE|STYLEGUIDE|CONVENTIONS|CODING[-_]?STYLE|HACKING)\.(?:md|markdown|rst|txt)$/i;
const aboutStyle =
  /style|convention|guideline|rule|commit|test|format|lint|naming|pull request|principle|architecture|code|before you|workflow|do not|don't|never|always/i;
/** Words of a rule, as opposed to a greeting or a link. */
const ruleWords =
  /\b(?:must|should|shall|always|never|do not|don't|avoid|prefer|use|run|keep|write|add|make sure|ensure|follow|required?|only|no)\b/i;
const chatter =
  /\b(?:thank|welcome|feel free|we appreciate|fork the|clone the|git clone|click|sign up|cla\b)/i;

/** Rules from the project's documents for contributors and agents. */
export function conventionsOf(tree: ProjectTree): KnownRules[] {
  return tree.paths
    .filter((path) => forAgents.test(path) || forPeople.test(path))
    .flatMap((source) => {
      const isForAgents = forAgents.test(source);
      const sections = sectionsOf(withoutRst(tree.read(source)));
      const items = sections
        .filter(({ title }) => isForAgents || aboutStyle.test(title))
        .flatMap((section) => section.items);
      const sentences = sections.flatMap(({ paragraphs }) => paragraphs.flatMap((line) => decisionsIn(line)));
      const rules = [...items, ...sentences]
        .filter(
          (rule) =>
            rule.length >= 15 &&
            ruleWords.test(rule) &&
            !chatter.test(rule) &&
            !rule.endsWith('?') &&
            !rule.endsWith(':'),
        )
        .map((rule) => shorten(rule, maxRuleLength));
      const distinct = [...new Set(rules)].slice(0, maxRules);
      return distinct.length === 0 ? [] : [{ source, rules: distinct }];
    });
}

/** The purpose of a folder, from its README. */
export function folderReadme(tree: ProjectTree, folder: string): string {
  const file = tree.paths.find((path) => folderOf(path) === folder && readme.test(nameOf(path)));
  return file === undefined
    ? ''
    : (sectionsOf(tree.read(file))
        .flatMap(({ paragraphs }) => paragraphs)
        .find((paragraph) => paragraph.length >= minProseLength) ?? '');
}
