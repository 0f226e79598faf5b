import { stem } from '../../src/text/stem.ts';

/** The search of the documentation site. It runs in the browser, over an index that the build writes. */
type Entry = [address: string, page: string, heading: string, text: string];
interface Section {
  entry: Entry;
  counts: Map<string, number>;
}

const { root = '' } = (document.currentScript as HTMLScriptElement).dataset;
const box = document.querySelector('search') as HTMLElement;
const input = box.querySelector('input') as HTMLInputElement;
const status = box.querySelector('p') as HTMLElement;
const list = box.querySelector('ol') as HTMLElement;
box.hidden = false;

const stopWords =
  /^(?:an?|and|are|as|at|be|by|can|could|do(?:es)?|for|from|ha(?:s|ve)|how|i[fnst]?|its|m[ey]|of|on|or|our|should|so|that|the|there|this|to|was|we|what|when|where|which|who|why|will|with|would|your?)$/;
const words = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.test(word)).map(stem);

/** Loads the index when somebody begins to search, so that reading a page does not cost it. */
let loading: Promise<Section[]> | undefined;
const load = (): Promise<Section[]> => {
  loading ??= new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    script.onload = () =>
      resolve((globalThis as unknown as { searchIndex: Entry[] }).searchIndex.map(countWords));
    document.head.append(script);
  });
  return loading;
};

/** Words of the title of the page and of the heading count more than those of the text. */
function countWords(entry: Entry): Section {
  const counts = new Map<string, number>();
  for (const [part, weight] of [3, 4, 1].entries())
    for (const word of words(entry[part + 1] ?? '')) counts.set(word, (counts.get(word) ?? 0) + weight);
  return { entry, counts };
}

/** Ranks the sections by BM25, where having a word counts most. The last word may be unfinished. */
function rank(sections: Section[], question: string): Section[] {
  const scores = new Map<Section, number>();
  for (const word of new Set(words(question))) {
    const isUnfinished = question.toLowerCase().endsWith(word) && word.length > 2;
    const countIn = ({ counts }: Section): number => {
      const longer = isUnfinished ? [...counts].find(([known]) => known.startsWith(word)) : undefined;
      return counts.get(word) ?? longer?.[1] ?? 0;
    };
    const having = sections.filter((section) => countIn(section) > 0);
    const rarity = Math.log(1 + sections.length / (having.length + 0.5));
    for (const section of having) {
      const count = countIn(section);
      const saturated = count / (count + 0.6 + section.entry[3].length / 900);
      scores.set(section, (scores.get(section) ?? 0) + rarity * (0.5 + saturated));
    }
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([section]) => section);
}

/** The part of the text around the first word of the question. */
function excerpt(text: string, asked: string[]): string {
  const at = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) => asked.includes(stem(word.toLowerCase())));
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, (at?.index ?? 0) - 50)));
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 150)}`;
}

async function show(): Promise<void> {
  const hits = rank(await load(), input.value.trim());
  const asked = words(input.value);
  const isRepeat = ({ entry }: Section, at: number): boolean =>
    hits.slice(0, at).filter((hit) => hit.entry[1] === entry[1]).length > 1;
  const shown = hits.filter((hit, at) => !isRepeat(hit, at)).slice(0, 8);
  const items = shown.map(({ entry: [address, page, heading, text] }) => {
    const element = <Name extends keyof HTMLElementTagNameMap>(name: Name, ...content: (Node | string)[]) => {
      const made = document.createElement(name);
      made.append(...content);
      return made;
    };
    const title = element('strong', heading === page ? page : `${page} › ${heading}`);
    const link = element('a', title, element('span', excerpt(text, asked)));
    link.href = root + address;
    return element('li', link);
  });
  list.replaceChildren(...items);
  status.textContent = items.length === 0 ? 'No results' : `${items.length} results`;
  box.classList.toggle('open', asked.length > 0);
}

input.addEventListener('focus', () => void load());
input.addEventListener('input', () => void show());
document.addEventListener('keydown', (event) => {
  const isTyping = document.activeElement === input;
  const links = box.classList.contains('open') ? [...list.querySelectorAll('a')] : [];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === '/' && !isTyping) input.focus();
  else if (links.length === 0 || (at < 0 && !isTyping)) return;
  else if (event.key === 'Escape') box.classList.remove('open');
  else if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus();
  else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus();
  else if (event.key === 'Enter' && isTyping) links[0]?.click();
  else return;
  event.preventDefault();
});
document.addEventListener('click', ({ target }) => {
  if (!box.contains(target as Node)) box.classList.remove('open');
});
