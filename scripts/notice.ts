import { readFileSync, writeFileSync } from 'node:fs';
import { type BundledPackage, licenceText, readBundledPackages } from './bundled-packages.ts';

/**
 * Writes NOTICE: the copyright lines and licence texts of all packages in the bundles, as their licences require.
 * `--check` fails if the file does not match the last build.
 */
const file = 'NOTICE';

interface Legal {
  /** Copyright lines, which differ between packages. */
  notices: string[];
  /** The licence terms, which many packages share. */
  terms: string;
}

/** The licence name at the top, which some packages omit. */
const title = /^(?:the )?(?:mit|isc|bsd[- ][23][- ]clause)(?: license)?(?: \(mit\))?$/i;
const notice = /^(?:Copyright (?:\([cC]\)|©|[\dA-Z])|All rights reserved)/;

export function legalOf(text: string): Legal {
  const lines = text.split(/\r?\n/);
  const isNotice = (line: string): boolean => notice.test(line.trim());
  const rest = lines.filter((line) => !isNotice(line) && !title.test(line.replace(/^#+/, '').trim()));
  return {
    notices: [...new Set(lines.filter(isNotice).map((line) => line.trim()))],
    terms: rest.join('\n').trim(),
  };
}

const words = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, ' ');

export function noticeFor(head: string, packages: (BundledPackage & { text: string })[]): string {
  const groups = new Map<string, { terms: string; packages: string[] }>();
  for (const { name, version, license, text } of packages) {
    const { notices, terms } = legalOf(text);
    if (terms === '') throw new Error(`no licence text found for ${name}`);
    const group = groups.get(words(terms)) ?? { terms, packages: [] };
    groups.set(words(terms), group);
    group.packages.push(
      [`${name} ${version} (${license})`, ...notices.map((line) => `  ${line}`)].join('\n'),
    );
  }
  const sections = [...groups.values()].map(
    (group) => `${group.packages.join('\n')}\n\n${indented(group.terms)}`,
  );
  const intro =
    'The programs and the viewer in dist contain code of these packages. Below each group are the terms that its packages\nare under.';
  return `${[head.trim(), intro, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : `    ${line.trimEnd()}`))
    .join('\n');

function main(): void {
  const packages = readBundledPackages('dist').map((one) => ({ ...one, text: licenceText(one) }));
  const made = noticeFor(readFileSync('scripts/notice-head.txt', 'utf8'), packages);
  if (!process.argv.includes('--check')) writeFileSync(file, made);
  else if (readFileSync(file, 'utf8') !== made) {
    process.stderr.write(`${file} is not up to date. Run: npm run build && node scripts/notice.ts\n`);
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
