import type { IconName } from './parts/icon.tsx';

/** An entry of the navigation: the question it answers, and the letter that opens it after `g`. */
export interface Section {
  page: string;
  name: string;
  icon: IconName;
  letter: string;
  question: string;
}

/** Sections of the local viewer. */
export const sections: Section[] = [
  { page: 'today', name: 'Today', icon: 'today', letter: 'd', question: 'What comes next?' },
  { page: 'timeline', name: 'Timeline', icon: 'timeline', letter: 't', question: 'What did my agents do?' },
  { page: 'search', name: 'Search', icon: 'search', letter: 'f', question: 'What do they know?' },
  { page: 'topics', name: 'Topics', icon: 'topics', letter: 'p', question: 'What is settled?' },
  { page: 'file', name: 'Files', icon: 'file', letter: 'c', question: 'Why is this code as it is?' },
  { page: 'review', name: 'Review', icon: 'review', letter: 'r', question: 'What needs my review?' },
  { page: 'spend', name: 'Spend', icon: 'spend', letter: 's', question: 'What did it cost and save?' },
  { page: 'health', name: 'Health', icon: 'health', letter: 'h', question: 'Is everything working?' },
];
