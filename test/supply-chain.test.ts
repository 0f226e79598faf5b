import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gates } from '../bench/evaluations.ts';
import { bundledPackages } from '../scripts/bundled-packages.ts';
import { grammarSources } from '../scripts/grammar-sources.ts';
import { legalOf, noticeFor } from '../scripts/notice.ts';
import { allUnpinnedActions, unpinnedActions, unpinnedImages } from '../scripts/pins.ts';
import { checkGithubFiles, githubFiles } from '../scripts/repository.ts';
import { type LockFile, sbomOf } from '../scripts/sbom.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const mit = (who: string) =>
  `MIT License\n\nCopyright (c) 2020 ${who}\n\nPermission is hereby granted, free of charge.\n`;

describe('third-party packages of a release', () => {
  it('[notice] are those that esbuild put into the bundles, not those it only read', () => {
    const input = (bytesInOutput: number) => ({ bytesInOutput });
    const outputs = {
      'dist/a.js': {
        bytes: 3,
        imports: [],
        exports: [],
        inputs: {
          'src/cmd/main.ts': input(1),
          'node_modules/zod/v4/index.js': input(1),
          'node_modules/@hono/node-server/dist/index.mjs': input(1),
          'node_modules/yaml/dist/index.js': input(0),
        },
      },
    };
    const found = bundledPackages([{ inputs: {}, outputs }]);
    expect(found.map(({ name, license }) => [name, license])).toEqual([
      ['@hono/node-server', 'MIT'],
      ['zod', 'MIT'],
    ]);
  });

  it('[notice] are listed with their copyright lines, and equal licence texts once', () => {
    const one = (name: string, text: string) => ({
      name,
      version: '1.0.0',
      license: 'MIT',
      folder: '',
      text,
    });
    const notice = noticeFor('Ours.', [
      one('a', mit('Ann')),
      one('b', mit('Ben').replace('MIT License', 'The MIT License (MIT)')),
      one('c', 'Other terms.\nCopyright 2020 Cid\nAll rights reserved.'),
    ]);
    for (const line of [
      'a 1.0.0 (MIT)',
      'Copyright (c) 2020 Ann',
      'Copyright (c) 2020 Ben',
      'Copyright 2020 Cid',
    ])
      expect(notice).toContain(line);
    expect(notice.match(/Permission is hereby granted/g)).toHaveLength(1);
    expect(() => noticeFor('Ours.', [one('d', '')])).toThrow('no licence text found for d');
    expect(legalOf('The copyright notice above.').notices).toEqual([]);
  });

  it('[notice] are all in NOTICE if the sources import them', () => {
    const notice = readFileSync('NOTICE', 'utf8');
    const imported = globSync('src/**/*.ts')
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) => [
        ...readFileSync(path, 'utf8').matchAll(
          /^import (?!type )[^;]*?from '((?:@[\w-]+\/)?[\w-]+)(?:\/[^']*)?'/gm,
        ),
      ])
      .map((match) => match[1] as string);
    expect(new Set(imported)).toContain('zod');
    for (const name of new Set(imported))
      expect(notice).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  });

  it('[sbom] are in a CycloneDX document with a digest of each and no dangling reference', () => {
    const inputs = [
      'zod/v4/index.js',
      '@hono/node-server/dist/index.mjs',
      'pg/lib/index.js',
      'pg-types/index.js',
    ];
    const used = Object.fromEntries(inputs.map((path) => [`node_modules/${path}`, { bytesInOutput: 1 }]));
    const output = { bytes: 1, imports: [], exports: [], inputs: used };
    const packages = bundledPackages([{ inputs: {}, outputs: { 'dist/a.js': output } }]);
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const make = () =>
      sbomOf(
        read('package.json'),
        packages,
        grammarSources,
        read('package-lock.json'),
        '2026-01-01T00:00:00.000Z',
      );
    const sbom = make();
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(sbom.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(sbom.metadata.component).toMatchObject({ type: 'application', name: 'backstory' });
    expect(sbom.components.length).toBe(inputs.length + grammarSources.length);
    expect(sbom.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/pg@'))?.dependsOn).toEqual([
      expect.stringMatching(/^pkg:npm\/pg-types@/),
    ]);
    for (const { purl, version, licenses, hashes } of sbom.components) {
      expect(purl).toMatch(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d/);
      expect(purl.endsWith(`@${version}`)).toBe(true);
      expect(licenses[0]?.license.id).toMatch(/^[\w.+-]+$/);
      expect(hashes?.[0]).toMatchObject({
        alg: 'SHA-512',
        content: expect.stringMatching(/^[0-9a-f]{128}$/),
      });
    }
    const refs = [sbom.metadata.component, ...sbom.components].map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { ref, dependsOn } of sbom.dependencies)
      for (const named of [ref, ...dependsOn]) expect(refs).toContain(named);
    expect(make()).toEqual(sbom);
  });

  it('[sbom] fail the SBOM if the lock file has no digest for one', () => {
    const own = { name: 'backstory', version: '1.0.0', license: 'Apache-2.0' };
    const one = { name: 'a', version: '1.0.0', license: 'MIT', folder: 'node_modules/a' };
    const lock: LockFile = { packages: { 'node_modules/a': {} } };
    expect(() => sbomOf(own, [one], [], lock, '')).toThrow('no SHA-512 for a');
  });
});

describe('the lock file', () => {
  it('has the packages of every platform, so that npm ci works on all of them', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const optional = Object.values(packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}));
    expect(optional).toContain('@biomejs/cli-darwin-arm64');
    const locked = Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13));
    expect(optional.filter((name) => !locked.includes(name))).toEqual([]);
  });
});

describe('the release workflow', () => {
  it('evaluates only what CI does not', () => {
    const [, names = ''] =
      /^const evaluations = \[(.+)\];$/m.exec(readFileSync('scripts/release.ts', 'utf8')) ?? [];
    const released = [...names.matchAll(/'([\w-]+)'/g)].map(([, name]) => name as string);
    expect(released).toContain('team-load');
    expect(released.filter((name) => gates.includes(name))).toEqual([]);
  });

  it('[pinned] pins every action by its commit', () => {
    expect(allUnpinnedActions()).toEqual([]);
    expect(unpinnedActions(`- uses: actions/checkout@v4\n  uses: a/b@${commit} # v1\n- uses: ./own`)).toEqual(
      ['actions/checkout@v4'],
    );
  });

  it('[pinned] reports an image without a digest', () => {
    const pinned = `node:24@sha256:${'0'.repeat(64)}`;
    expect(
      unpinnedImages(
        `FROM node:24 AS a\nFROM ${pinned}\n    image: postgres:17\n    image: backstory-team:1\n  image:\n    if: true`,
      ),
    ).toEqual(['node:24', 'postgres:17']);
  });
});

describe('the files that GitHub reads', () => {
  const read = (path: string): string => readFileSync(path, 'utf8');

  it('[release-address] name the reviewer and the repository before a release', () => {
    const files = githubFiles('acme/backstory', '@acme/maintainers');
    const check = (changed: Record<string, string>) =>
      checkGithubFiles('acme/backstory', (path) => ({ ...files, ...changed })[path] ?? '');
    expect(() => check({})).not.toThrow();
    expect(() => check({ '.github/CODEOWNERS': '*\n' })).toThrow('names no reviewer');
    expect(() => check(githubFiles('other/name', '@acme/maintainers'))).toThrow(
      '.github/ISSUE_TEMPLATE/config.yml does not link to the repository',
    );
    expect(() => githubFiles('acme/backstory', 'somebody')).toThrow('Write it as @USER');
    expect(parse(files['.github/ISSUE_TEMPLATE/config.yml'] ?? '').contact_links[0].url).toContain(
      'SECURITY.md',
    );
  });

  it('are issue forms with unique, labelled fields', () => {
    const forms = globSync('.github/ISSUE_TEMPLATE/{bug,feature}.yml').map((path) => parse(read(path)));
    expect(forms).toHaveLength(2);
    for (const { name, description, body } of forms) {
      expect([name, description].every((text) => typeof text === 'string' && text !== '')).toBe(true);
      const fields = body.filter(({ type }: { type: string }) => type !== 'markdown');
      const ids = fields.map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { attributes } of fields) expect(attributes.label).toMatch(/\w/);
    }
  });

  it('ask only for scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const asked = [...read('.github/pull_request_template.md').matchAll(/npm run ([\w:]+)/g)];
    expect(asked.length).toBeGreaterThan(2);
    for (const [, name] of asked) expect(Object.keys(scripts)).toContain(name);
  });
});
