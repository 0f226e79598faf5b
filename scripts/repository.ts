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
  const set = 'node scripts/repository.ts OWNER/NAME';
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

if (import.meta.main) {
  const [address] = process.argv.slice(2);
  if (address === undefined) throw new Error('Usage: node scripts/repository.ts OWNER/NAME');
  writeFileSync('package.json', `${JSON.stringify(withRepository(readPackage(), address), null, 2)}\n`);
}
