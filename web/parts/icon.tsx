/** SVG paths on a 16 × 16 grid. CSS draws them in the text colour. */
const shapes = {
  today: 'M2.5 4h11v9.5h-11V4ZM2.5 7h11M5.5 2.3V5M10.5 2.3V5M8 9v2.2h2',
  quote:
    'M3 11.5c1.8-.6 2.8-2 2.8-4H3V4h4v3.5c0 3-1.5 4.6-4 5.2M9 11.5c1.8-.6 2.8-2 2.8-4H9V4h4v3.5c0 3-1.5 4.6-4 5.2',
  topics: 'M2.5 3.5h8v6h-4.5l-2 2v-2h-1.5v-6ZM12.5 6h1v5.5h-1.2v1.8l-1.8-1.8H8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  timeline: 'M3 3.5h.01M6 3.5h7M3 8h.01M6 8h7M3 12.5h.01M6 12.5h7',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM14 14l-3.4-3.4',
  review: 'M2 9.5 4 3h8l2 6.5V13H2V9.5ZM2 9.5h3.5l1 1.7h3l1-1.7H14',
  spend: 'M2.5 13.5h11M4 11V8M8 11V3M12 11V5.5',
  health: 'M1.5 8.5h3l1.5-4 3 7.5 2-5 .8 1.5h2.7',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.2M8 13.3v1.2M14.5 8h-1.2M2.7 8H1.5M12.6 3.4l-.9.9M4.3 11.7l-.9.9M12.6 12.6l-.9-.9M4.3 4.3l-.9-.9',
  moon: 'M13.5 9.7A5.8 5.8 0 0 1 6.3 2.5a5.8 5.8 0 1 0 7.2 7.2Z',
  system: 'M2 3h12v8H2V3ZM6 13.5h4M8 11v2.5',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.3 6.4a1.7 1.7 0 1 1 2.4 1.7c-.5.2-.7.5-.7 1v.3M8 11.4h.01',
  file: 'M4 1.8h5l3 3v9.4H4V1.8ZM9 1.8v3h3',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  commit: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 8h4M10.5 8h4',
  branch:
    'M5 5.2v5.6M5 5.2a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2ZM5 14a1.6 1.6 0 1 0 0-3.2A1.6 1.6 0 0 0 5 14ZM11 6.8a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2ZM11 6.8c0 2.2-2 2.7-4 2.9',
  decision: 'M3 8.3l3.2 3.2L13 4.5',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6h7a3.7 3.7 0 0 1 0 7.4H6',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  pin: 'M9.5 2 14 6.5l-2.6.7-2.2 2.2.3 2.6-1.3 1.3L2.7 7.8 4 6.5l2.6.3 2.2-2.2L9.5 2ZM5.4 10.6 2 14',
  warning: 'M8 2.2 14.5 13.5h-13L8 2.2ZM8 6.5v3.2M8 11.6h.01',
  person: 'M8 7.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM3 13.6c.4-2.6 2.4-4 5-4s4.6 1.4 5 4',
  leave: 'M6.5 2.5h-4v11h4M10.5 5l3 3-3 3M13 8H6',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
} as const;

export type IconName = keyof typeof shapes;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
);
