/**
 * Why nobody typed a part of a prompt. `pasted` and `added`: the agent reported it. `file`: a file of the checkout had
 * it. The others are forms in which people quote: an element of markup, a fenced or indented block, lines after `>`, a
 * mail from its headers on, and lines that programs print.
 */
export type NotTyped = 'pasted' | 'added' | 'file' | 'markup' | 'code' | 'quote' | 'mail' | 'output';

/** A block of a prompt as events store it: it ends at this index of the text. */
export interface BlockEnd {
  end: number;
  not?: NotTyped;
  /** The agent records which parts of a prompt are pasted, and this is none of them. */
  isRecorded?: true;
}
