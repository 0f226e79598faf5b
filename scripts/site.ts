import { buildSite } from './site/build-site.ts';

/** `npm run site -- DIR`: builds the documentation as a static site. It fails on a broken link, anchor or image. */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: npm run site -- DIR');
  process.exit(2);
}
const { pages, broken } = await buildSite('.', folder);
for (const link of broken) console.error(`broken: ${link}`);
if (broken.length > 0) process.exitCode = 1;
else console.log(`${pages} pages in ${folder}`);
