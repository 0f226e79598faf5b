/** The relative links of a Markdown page outside of code, as path and heading. The path of a link within the page is ''. */
export const linksIn = (page: string): [path: string, heading: string][] =>
  [...withoutCode(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, path = '', heading = '']) => [path, heading],
  );

const withoutCode = (page: string): string => page.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '');
