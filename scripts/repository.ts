import { readFileSync, writeFileSync } from 'node:fs';

/** The fields of package.json that releases are made from. */
export interface PackageFile {
  name: string;
  version: string;
  description: string;
  license: string;
  repository?: { type: string; url: string };
  homepage?: string;
  bugs?: string;
  mcpName?: string;
}

const addressPattern = /^([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)\/([\w.-]+)$/;

/**
 * Adds the address of the repository, and the fields that follow from it. `repository` is the only one that is chosen:
 * npm accepts a provenance statement only if it names the repository of the workflow, and the MCP registry accepts a
 * server only under the name of the repository's owner.
 */
export function withRepository<T extends PackageFile>(own: T, address: string): T {
  const [, owner, name] = addressPattern.exec(address) ?? [];
  if (owner === undefined || name === undefined)
    throw new Error(`not an address on GitHub: ${address}. Write it as OWNER/NAME.`);
  const url = `https://github.com/${owner}/${name}`;
  const { name: packageName, version, description, license, ...others } = own;
  return {
    name: packageName,
    version,
    description,
    license,
    ...others,
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
    mcpName: `io.github.${owner}/${packageName}`,
  } as T;
}

/** The address as OWNER/NAME. Throws with the command to run if it is not set, or if a field does not match it. */
export function repositoryAddress(own: PackageFile): string {
  const url = own.repository?.url ?? '';
  const address = /^git\+https:\/\/github\.com\/(.+)\.git$/.exec(url)?.[1];
  const set = 'node scripts/repository.ts OWNER/NAME @REVIEWER';
  if (address === undefined || !addressPattern.test(address))
    throw new Error(
      `package.json does not say where the repository is, and npm refuses --provenance without it. Run: ${set}`,
    );
  const expected = withRepository(own, address);
  const wrong = (['homepage', 'bugs', 'mcpName'] as const).filter((key) => own[key] !== expected[key]);
  if (wrong.length > 0)
    throw new Error(`package.json: ${wrong.join(', ')} do not match the repository. Run: ${set}`);
  return address;
}

export const readPackage = (): PackageFile => JSON.parse(readFileSync('package.json', 'utf8'));

/** A user or a team of an organization, as GitHub writes them in CODEOWNERS. */
const reviewerPattern = /^@[A-Za-z0-9-]+(?:\/[\w.-]+)?$/;

/** The files that GitHub reads, with the address and the reviewer. */
export function githubFiles(address: string, reviewer: string): Record<string, string> {
  if (!reviewerPattern.test(reviewer))
    throw new Error(`not a user or team on GitHub: ${reviewer}. Write it as @USER or @ORGANIZATION/TEAM.`);
  return {
    '.github/CODEOWNERS': `# Reviewers of every pull request.\n* ${reviewer}\n`,
    '.github/ISSUE_TEMPLATE/config.yml': `blank_issues_enabled: false
contact_links:
  - name: Vulnerability
    url: https://github.com/${address}/blob/HEAD/SECURITY.md
    about: Report it privately, as SECURITY.md says.
`,
  };
}

/** Throws with the command to run if GitHub would ask nobody for a review, or link to another repository. */
export function checkGithubFiles(address: string, read: (path: string) => string): void {
  const set = `Run: node scripts/repository.ts ${address} @REVIEWER`;
  if (!/^\* @\S+/m.test(read('.github/CODEOWNERS')))
    throw new Error(`.github/CODEOWNERS names no reviewer. ${set}`);
  if (!read('.github/ISSUE_TEMPLATE/config.yml').includes(`https://github.com/${address}/`))
    throw new Error(`.github/ISSUE_TEMPLATE/config.yml does not link to the repository. ${set}`);
}

if (import.meta.main) {
  const [address, reviewer] = process.argv.slice(2);
  if (address === undefined || reviewer === undefined)
    throw new Error('Usage: node scripts/repository.ts OWNER/NAME @REVIEWER');
  const own = withRepository(readPackage(), address);
  const files = { 'package.json': `${JSON.stringify(own, null, 2)}\n`, ...githubFiles(address, reviewer) };
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
}
