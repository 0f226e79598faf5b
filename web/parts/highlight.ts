/** Highlights the words below an element. Firefox can do so only since version 140. */
export function highlight(root: Element | null, words: string): void {
  if (root === null || !('highlights' in CSS)) return;
  const found = new Highlight();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && words !== ''; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + words.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      found.add(range);
    }
  }
  CSS.highlights.set('found', found);
}
