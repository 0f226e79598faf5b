import { decision, shownFile } from './stories.ts';

/** Folder of all pictures. They are not part of the package. */
export const pictureFolder = 'docs/pictures';

/** A page of the viewer, photographed in light and dark. */
export interface Screenshot {
  name: string;
  /** The address after `#/`. */
  route: string;
  width: number;
  height: number;
  /** The part that is shown; the whole window if it is not given. */
  part?: string;
  /** The element that the mouse points at, and a text in it. */
  pointAt?: Shown | undefined;
  /** What must be on the page: the selector of an element, and a text in it. */
  shows: Shown[];
  /** When to report an element that is not shown. By default, when only a hang can be the reason. */
  timeoutMs?: number;
}

type Shown = [selector: string, text: string];

export const screenshots: Screenshot[] = [
  {
    name: 'file',
    route: `file/${shownFile}`,
    width: 1400,
    height: 780,
    part: 'main',
    pointAt: ['.margin-link', decision.slice(0, 24)],
    shows: [
      ['.line .t-keyword', 'export'],
      ['.margin-link', 'Two workers took the same job'],
      ['.margin-link', 'not committed'],
      ['.story-card', decision],
      ['.story-card', 'Code unchanged'],
    ],
  },
  {
    name: 'today',
    route: 'today',
    width: 1200,
    height: 860,
    shows: [
      ['h2', 'Activity'],
      ['.told', decision],
      ['.card', 'in the table dead_jobs'],
      ['.card', 'failed'],
    ],
  },
];

/**
 * The first picture of the README: a file of the public repository ClusterCockpit/cc-backend, with the transcripts that
 * its developers published in it.
 */
export const ofRepository: Screenshot = {
  name: 'repository',
  route: 'file/pkg/metricstore/walCheckpoint.go?line=98',
  width: 1400,
  height: 780,
  part: 'main',
  shows: [['.margin-link', 'shutdown']],
};

export const themes = ['light', 'dark'] as const;

export const screenshotFile = ({ name }: Screenshot, theme: (typeof themes)[number]): string =>
  `${name}-${theme}.png`;

export const pictureFiles: string[] = [...screenshots, ofRepository].flatMap((screenshot) =>
  themes.map((theme) => screenshotFile(screenshot, theme)),
);
