import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type BundledPackage, readBundledPackages } from './bundled-packages.ts';
import { grammarSources } from './grammar-sources.ts';

/** The packages in the bundles and the grammars, as a CycloneDX 1.6 document: https://cyclonedx.org/docs/1.6/json/ */
export interface Sbom {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  serialNumber: string;
  version: 1;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface Component {
  type: 'application' | 'library';
  'bom-ref': string;
  group?: string;
  name: string;
  version: string;
  purl: string;
  licenses: { license: { id: string } }[];
  hashes?: { alg: 'SHA-512'; content: string }[];
}

export interface LockFile {
  packages: Record<string, { integrity?: string; dependencies?: Record<string, string> } | undefined>;
}

const purlOf = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

export function sbomOf(
  own: { name: string; version: string; license: string },
  packages: BundledPackage[],
  grammars: { from: string; sha512: string }[],
  lock: LockFile,
  timestamp: string,
): Sbom {
  const byFolder = new Map(packages.map((one) => [one.folder, one]));
  const known = new Set(packages.map(purlOf));
  const components = [
    ...packages.map((one) => componentOf(one, 'library', lock.packages[one.folder]?.integrity)),
    ...grammars
      .map(({ from, sha512 }) => ({ ...splitName(from), license: 'MIT', integrity: `sha512-${sha512}` }))
      .filter((one) => !known.has(purlOf(one)))
      .map((one) => componentOf(one, 'library', one.integrity)),
  ];
  const dependencies = packages.map((one) => ({
    ref: purlOf(one),
    dependsOn: Object.keys(lock.packages[one.folder]?.dependencies ?? {})
      .flatMap((name) => resolve(byFolder, one.folder, name) ?? [])
      .map(purlOf)
      .sort(),
  }));
  const component = componentOf(own, 'application', undefined);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([component, components, timestamp]))}`,
    version: 1,
    metadata: { timestamp, component },
    components,
    dependencies: [
      { ref: component['bom-ref'], dependsOn: components.map((one) => one.purl) },
      ...dependencies,
    ],
  };
}

const splitName = (from: string): { name: string; version: string } => {
  const at = from.lastIndexOf('@');
  return { name: from.slice(0, at), version: from.slice(at + 1) };
};

function componentOf(
  one: { name: string; version: string; license: string },
  type: Component['type'],
  integrity: string | undefined,
): Component {
  const [group, name] = one.name.startsWith('@') ? one.name.split('/') : [undefined, one.name];
  const digest = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  if (type === 'library' && digest === undefined)
    throw new Error(`no SHA-512 for ${one.name} in package-lock.json`);
  return {
    type,
    'bom-ref': purlOf(one),
    ...(group === undefined ? {} : { group }),
    name: name ?? one.name,
    version: one.version,
    purl: purlOf(one),
    licenses: [{ license: { id: one.license } }],
    ...(digest === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
  };
}

/** Resolves a package like Node: in the package's own node_modules, then in those of the parent folders. */
function resolve(
  byFolder: Map<string, BundledPackage>,
  from: string,
  name: string,
): BundledPackage | undefined {
  const own = byFolder.get(`${from}/node_modules/${name}`);
  const above = from.lastIndexOf('/node_modules/');
  if (own !== undefined || above === -1) return own ?? byFolder.get(`node_modules/${name}`);
  return resolve(byFolder, from.slice(0, above), name);
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The SBOM of the last build. */
export function currentSbom(timestamp: string): Sbom {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  return sbomOf(
    read('package.json'),
    readBundledPackages('dist'),
    grammarSources,
    read('package-lock.json'),
    timestamp,
  );
}
