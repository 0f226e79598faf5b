import type { IconName } from './parts/icon.tsx';

/** The places one can go to, with the question each answers and the letter that leads there after `g`. */
export interface Section {
  page: string;
  name: string;
  icon: IconName;
  letter: string;
  question: string;
}

/** Of one's own machine. */
export const sections: Section[] = [
  { page: 'timeline', name: 'Timeline', icon: 'timeline', letter: 't', question: 'What did my agents do?' },
  { page: 'search', name: 'Search', icon: 'search', letter: 'f', question: 'What do they know?' },
  { page: 'review', name: 'Review', icon: 'review', letter: 'r', question: 'What waits for my word?' },
  { page: 'graph', name: 'Graph', icon: 'graph', letter: 'a', question: 'What hangs together?' },
  { page: 'spend', name: 'Spend', icon: 'spend', letter: 's', question: 'What did it cost, and save?' },
  { page: 'health', name: 'Health', icon: 'health', letter: 'h', question: 'Does it work here?' },
];
