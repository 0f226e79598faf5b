import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { writeReleaseFiles } from '../../scripts/release-files.ts';
import {
  type PackageFile,
  readPackage,
  repositoryAddress,
  withRepository,
} from '../../scripts/repository.ts';
import { currentSbom } from '../../scripts/sbom.ts';

/** Each file of a release is checked by the program of those who read it. */
const tools = join(homedir(), '.cache/backstory-tools/release/bin');
const missing = existsSync(join(tools, 'helm')) ? undefined : 'run scripts/release-tools.sh, as .ci/run does';
if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

const folder = mkdtempSync(join(tmpdir(), 'backstory-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, args: string[], cwd = process.cwd()) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${tools}:${process.env.PATH}` },
  });
  return { status, text: `${stdout}${stderr}${error?.message ?? ''}` };
};
const passes = (program: string, args: string[], cwd?: string): string => {
  const { status, text } = run(program, args, cwd);
  expect(status, text).toBe(0);
  return text;
};

describe('The address of the repository', () => {
  const own: PackageFile = { name: 'backstory', version: '1.0.0', description: '', license: 'Apache-2.0' };

  it('[release-address] is one setting from which the others follow', () => {
    const set = withRepository(own, 'acme/backstory');
    expect(set).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/acme/backstory.git' },
      homepage: 'https://github.com/acme/backstory#readme',
      bugs: 'https://github.com/acme/backstory/issues',
      mcpName: 'io.github.acme/backstory',
    });
    expect(repositoryAddress(set)).toBe('acme/backstory');
    expect(withRepository(set, 'other/name').mcpName).toBe('io.github.other/backstory');
    expect(() => withRepository(own, 'https://example.org')).toThrow('Write it as OWNER/NAME');
  });

  it('[release-address] is needed: without it, or with fields of another one, there is no release', () => {
    expect(() => repositoryAddress(own)).toThrow('Run: node scripts/repository.ts OWNER/NAME @REVIEWER');
    expect(() => repositoryAddress({ ...withRepository(own, 'acme/backstory'), bugs: 'x' })).toThrow(
      'bugs do not match the repository',
    );
    if (readPackage().repository !== undefined) return;
    const { status, text } = run(process.execPath, ['scripts/release.ts']);
    expect([status, text.trim()]).toEqual([
      1,
      'Not released. package.json does not say where the repository is, and npm refuses --provenance without it. Run: node scripts/repository.ts OWNER/NAME @REVIEWER',
    ]);
  });
});

describe.skipIf(missing !== undefined)(
  `The files of a release${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    const own = withRepository(readPackage(), 'acme/backstory');
    const skillsaw = (path: string, ...types: string[]) =>
      passes('skillsaw', [
        'lint',
        '--strict',
        '--no-color',
        ...types.flatMap((type) => ['--type', type]),
        path,
      ]);

    beforeAll(() => {
      const installed = inject('installedPackage');
      const packed = globSync(join(installed, '../../..', '*.tgz'))[0] as string;
      cpSync(packed, join(folder, basename(packed)));
      writeReleaseFiles(own, folder, currentSbom('2026-01-01T00:00:00.000Z'));
      writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
    });

    it('[release-npm] pass a dry run of the command with which the workflow publishes to npm', () => {
      const copy = join(folder, 'package');
      cpSync(inject('installedPackage'), copy, { recursive: true });
      writeFileSync(join(copy, 'package.json'), JSON.stringify(own));
      mkdirSync(join(folder, 'release'));
      passes('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', '../release'], copy);
      const workflow = readFileSync('.github/workflows/release.yml', 'utf8');
      const [, command] = /run: (npm publish .*--provenance.*)/.exec(workflow) ?? [];
      expect(passes('bash', ['-c', `${command} --dry-run`], folder)).toContain(`+ backstory@${own.version}`);
    });

    it('[release-mcp] describe the server for the MCP registry by its schema, under the name that npm has', () => {
      expect(skillsaw(folder, 'mcp-registry')).toContain('All checks passed');
      const wrong = mkdtempSync(join(folder, 'wrong-'));
      const entry = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'));
      writeFileSync(join(wrong, 'package.json'), JSON.stringify(own));
      writeFileSync(
        join(wrong, 'server.json'),
        JSON.stringify({ ...entry, name: 'io.github.other/backstory' }),
      );
      expect(run('skillsaw', ['lint', '--strict', '--type', 'mcp-registry', wrong]).status).not.toBe(0);
    });

    it('[release-sbom] contain an SBOM that the CycloneDX library accepts', () => {
      const check = `
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
sys.exit(str(error) if error else 0)`;
      const sbom = join(folder, `backstory-${own.version}.cdx.json`);
      const python = { PYTHONPATH: join(dirname(tools), 'python') };
      const validate = (path: string) =>
        spawnSync('python3', ['-c', check, path], { encoding: 'utf8', env: { ...process.env, ...python } });
      const { status, stderr } = validate(sbom);
      expect(status, stderr).toBe(0);
      const wrong = join(folder, 'wrong.cdx.json');
      writeFileSync(wrong, readFileSync(sbom, 'utf8').replace('"library"', '"librarian"'));
      expect(validate(wrong).status).not.toBe(0);
    });

    it('[release-homebrew] contain a Homebrew formula in valid Ruby, with the hash of the packed release', () => {
      const formula = join(folder, 'backstory.rb');
      expect(passes('ruby', ['-wc', formula])).toContain('Syntax OK');
      // Homebrew is not available here, so its classes are replaced: what the formula declares is what is read.
      const declared = `
class Formula
  @@seen = {}
  %i[desc homepage url sha256 license depends_on].each { |name| define_singleton_method(name) { |value| @@seen[name] = value } }
  def self.test; end
  def self.seen; @@seen; end
end
require 'json'
load ARGV[0]
puts JSON.generate(Formula.seen)`;
      const seen = JSON.parse(passes('ruby', ['-e', declared, formula])) as Record<string, string>;
      const packed = join(folder, basename(seen.url as string));
      const digest = passes(process.execPath, [
        '-p',
        `require('crypto').createHash('sha256').update(require('fs').readFileSync(${JSON.stringify(packed)})).digest('hex')`,
      ]).trim();
      expect(seen).toMatchObject({ sha256: digest, license: 'Apache-2.0', depends_on: 'node' });
      // Rules of \`brew audit\`: no full stop, and not the name of the formula.
      expect(seen.desc).not.toMatch(/\.$|backstory/i);
      expect(seen.desc?.length).toBeLessThanOrEqual(80);
    });

    it('[release-workflow] are published by workflows that actionlint accepts', () => {
      passes('actionlint', []);
      const workflow = readFileSync('.github/workflows/release.yml', 'utf8');
      expect(workflow).toMatch(/id-token: write/);
      expect(workflow).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
    });

    it('[release-plugin] include plugins by the rules of Claude Code and of Agent Plugins, with the version of the package', () => {
      expect(skillsaw('plugins/backstory')).toMatch(/Repo type: agentskills, single-plugin/);
      // In a folder of its own: Codex reads no hooks of a plugin that has the portable manifest.
      expect(skillsaw('plugins/portable')).toMatch(/Repo type: agent-plugin/);
      const version = (path: string) => JSON.parse(readFileSync(path, 'utf8')).version;
      for (const path of ['portable/plugin.json', 'backstory/.claude-plugin/plugin.json'])
        expect(version(join('plugins', path))).toBe(own.version);
      const { plugins } = JSON.parse(readFileSync('.claude-plugin/marketplace.json', 'utf8'));
      expect(plugins).toMatchObject([
        { name: 'backstory', source: './plugins/backstory', version: own.version },
      ]);
    });
  },
);

describe.skipIf(missing !== undefined)('The Helm chart of the team server', () => {
  const chart = resolve('deploy/helm/backstory-team');
  const values = [
    'image.repository=registry.internal/backstory-team',
    'database.serverUrl=postgres://backstory_server@db/backstory',
    'database.ownerUrl=postgres://backstory_owner@db/backstory',
    'database.existingSecret=backstory-database',
  ].flatMap((value) => ['--set', value]);
  interface Manifest {
    kind: string;
    spec: { template: { spec: object } };
  }
  const render = (...more: string[]): Manifest[] =>
    parseAllDocuments(
      passes('helm', ['template', 'team', chart, '--kube-version', '1.30.0', ...values, ...more]),
    )
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null);

  it('[release-helm] passes helm lint and has the version of the package', () => {
    expect(passes('helm', ['lint', '--strict', chart, ...values])).toContain('0 chart(s) failed');
    const text = readFileSync(join(chart, 'Chart.yaml'), 'utf8');
    const { version } = readPackage();
    expect(text).toContain(`\nversion: ${version}\nappVersion: "${version}"\n`);
  });

  it('[release-helm] renders all objects, and gives the password of the owner only to jobs', () => {
    const all = render(
      '--set',
      'ingress.enabled=true,ingress.host=team.example.org,publicUrl=https://team.example.org',
    );
    expect(all.map(({ kind }) => kind).sort()).toEqual(
      ['CronJob', 'Deployment', 'Ingress', 'Job', 'PodDisruptionBudget', 'Service'].sort(),
    );
    for (const manifest of all)
      expect(JSON.stringify(manifest).includes('OWNER_DATABASE'), manifest.kind).toBe(
        ['CronJob', 'Job'].includes(manifest.kind),
      );
    const server = all.find(({ kind }) => kind === 'Deployment') as Manifest;
    expect(server.spec.template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
      containers: [
        {
          image: `registry.internal/backstory-team:${readPackage().version}`,
          args: ['serve', '--drain', '5', '--public-url', 'https://team.example.org'],
          securityContext: { readOnlyRootFilesystem: true },
          readinessProbe: { httpGet: { path: '/ready' } },
        },
      ],
    });
    const published = JSON.stringify(all.find(({ kind }) => kind === 'Ingress'));
    for (const path of ['/metrics', '/health', '/ready']) expect(published).not.toContain(`"${path}"`);
    expect(render('--set', 'replicas=1').map(({ kind }) => kind)).not.toContain('PodDisruptionBudget');
  });

  it('[release-helm] refuses values that cannot work, such as a password in the address', () => {
    expect(run('helm', ['template', 'team', chart]).text).toContain("at '/image/repository': minLength");
    const password = 'database.serverUrl=postgres://backstory_server:secret@db/backstory';
    expect(run('helm', ['template', 'team', chart, ...values, '--set', password]).status).not.toBe(0);
  });
});
