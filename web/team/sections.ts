import type { Section } from '../sections.ts';

/** Sections of the team viewer. A team server knows no code, spending or health of a laptop. */
export const teamSections: Section[] = [
  { page: 'home', name: 'Start', icon: 'today', letter: 'd', question: 'What holds, and who is here?' },
  { page: 'search', name: 'Search', icon: 'search', letter: 'f', question: 'What do we know?' },
  { page: 'timeline', name: 'Timeline', icon: 'timeline', letter: 't', question: 'What has changed?' },
  {
    page: 'stats',
    name: 'Memory',
    icon: 'spend',
    letter: 's',
    question: 'How much do we know, and who wrote it?',
  },
];
