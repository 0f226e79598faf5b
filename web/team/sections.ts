import type { Section } from '../sections.ts';

/** What a team's server can show: no code, no spend and no laptop's health. */
export const teamSections: Section[] = [
  { page: 'search', name: 'Search', icon: 'search', letter: 'f', question: 'What do we know?' },
  { page: 'timeline', name: 'Timeline', icon: 'timeline', letter: 't', question: 'What was said lately?' },
  { page: 'graph', name: 'Graph', icon: 'graph', letter: 'a', question: 'What hangs together?' },
  {
    page: 'stats',
    name: 'Memory',
    icon: 'spend',
    letter: 's',
    question: 'How much do we know, and whose is it?',
  },
];
