import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minNodeVersion } from '../src/base/node-version.ts';
import { type PackageFile, repositoryAddress } from './repository.ts';
import type { Sbom } from './sbom.ts';

const serverSchema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Entry of the MCP registry, which starts the server with `npx -y backstory mcp`. */
export const serverEntry = (own: PackageFile) => ({
  $schema: serverSchema,
  name: own.mcpName,
  title: 'Backstory',
  description: own.description,
  version: own.version,
  repository: { url: `https://github.com/${repositoryAddress(own)}`, source: 'github' },
  packages: [
    {
      registryType: 'npm',
      identifier: own.name,
      version: own.version,
      runtimeHint: 'npx',
      runtimeArguments: [{ type: 'positional', value: '-y' }],
      packageArguments: [{ type: 'positional', value: 'mcp' }],
      transport: { type: 'stdio' },
    },
  ],
});

/** Formula for a Homebrew tap. It installs the packed release, which has no dependencies. */
export function homebrewFormula(own: PackageFile, sha256: string): string {
  const url = `https://github.com/${repositoryAddress(own)}`;
  return `class Backstory < Formula
  desc "${own.description.replace(/\.$/, '')}"
  homepage "${url}"
  url "${url}/releases/download/v${own.version}/${own.name}-${own.version}.tgz"
  sha256 "${sha256}"
  license "${own.license}"

  # At least ${minNodeVersion}.
  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/backstory --version").strip
    ENV["BACKSTORY_HOME"] = testpath/"memory"
    assert_match "FAIL Installed", shell_output("#{bin}/backstory doctor", 1)
  end
end
`;
}

/** Writes everything that is published beside the package. Returns the paths. */
export function writeReleaseFiles(own: PackageFile, folder: string, sbom: Sbom): string[] {
  mkdirSync(folder, { recursive: true });
  const packed = readFileSync(join(folder, `${own.name}-${own.version}.tgz`));
  const sha256 = createHash('sha256').update(packed).digest('hex');
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const files: [string, string][] = [
    [`${own.name}-${own.version}.cdx.json`, json(sbom)],
    ['server.json', json(serverEntry(own))],
    ['backstory.rb', homebrewFormula(own, sha256)],
  ];
  return files.map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
}
