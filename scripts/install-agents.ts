import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/**
 * Installs pinned versions of the real agents that tests and evaluations run, and the official MCP conformance suite.
 * Each has its own folder under ~/.cache/backstory-tools. `node scripts/install-agents.ts` installs missing ones, and with words those
 * whose folders begin so.
 */
interface Package {
  folder: string;
  name: string;
  /** File that exists once the package is installed. */
  program: string;
  /** The program as the package has it, if it is to be unpacked. Otherwise the agent would unpack it into every home. */
  compressed?: string;
  /** Set for a package that npm cannot install: it is unpacked, and this package is installed next to it. */
  unpackedWith?: string;
}

const packages: Package[] = [
  {
    folder: 'claude-code-2.1.325',
    name: '@anthropic-ai/claude-code@2.1.325',
    program: 'node_modules/@anthropic-ai/claude-code-linux-x64/claude',
  },
  {
    folder: 'codex-0.166.0',
    name: '@openai/codex@0.166.0',
    program: 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
  },
  {
    folder: 'opencode-1.18.33',
    name: 'opencode-ai@1.18.33',
    program: 'node_modules/opencode-linux-x64/bin/opencode',
  },
  {
    folder: 'pi-1.5.0',
    name: '@earendil-works/pi-coding-agent@1.5.0',
    program: 'package/dist/bundle/cli.js',
    unpackedWith: 'jiti@2.7.0',
  },
  {
    folder: 'pi-0.73.1',
    name: '@mariozechner/pi-coding-agent@0.73.1',
    program: 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js',
  },
  {
    folder: 'qwen-code-0.24.4',
    name: '@qwen-code/qwen-code@0.24.4',
    program: 'node_modules/@qwen-code/qwen-code/cli.js',
  },
  {
    folder: 'gemini-cli-0.61.0',
    name: '@google/gemini-cli@0.61.0',
    program: 'node_modules/@google/gemini-cli/bundle/gemini.js',
  },
  {
    folder: 'kilo-7.7.9',
    name: '@kilocode/cli-linux-x64@7.7.9',
    program: 'node_modules/@kilocode/cli-linux-x64/bin/kilo',
  },
  {
    folder: 'droid-0.215.0',
    name: 'droid@0.215.0',
    program: 'node_modules/@factory/cli-linux-x64/bin/droid',
  },
  {
    folder: 'copilot-1.0.102',
    name: '@github/copilot@1.0.102',
    program: 'node_modules/@github/copilot-linux-x64/copilot',
  },
  {
    folder: 'grok-1.0.41',
    name: '@xai-official/grok@1.0.41',
    program: 'grok',
    compressed: 'node_modules/@xai-official/grok-linux-x64/bin/grok.br',
  },
  {
    folder: 'cline-3.0.65',
    name: 'cline@3.0.65',
    program: 'node_modules/@cline/cli-linux-x64/bin/cline',
  },
  {
    folder: 'mcp-conformance-0.2.0-alpha.12',
    name: '@modelcontextprotocol/conformance@0.2.0-alpha.12',
    program: 'node_modules/@modelcontextprotocol/conformance/dist/index.js',
  },
];

/** Returns the number of packages installed. Throws if the registry does not have one. */
export function installAgents(folders = packages.map(({ folder }) => folder)): number {
  const wanted = packages.filter(({ folder }) => folders.includes(folder));
  return wanted.filter((each) => install(each)).length;
}

function install({ folder, name, program, compressed, unpackedWith }: Package): boolean {
  const prefix = join(homedir(), '.cache/backstory-tools', folder);
  if (existsSync(join(prefix, program))) return false;
  mkdirSync(prefix, { recursive: true });
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: prefix, stdio: ['ignore', 'pipe', 'inherit'] });
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', prefix];
  if (unpackedWith === undefined) {
    npm('install', ...flags, name);
    if (compressed !== undefined)
      writeFileSync(join(prefix, program), brotliDecompressSync(readFileSync(join(prefix, compressed))), {
        mode: 0o755,
      });
    return true;
  }
  npm('pack', '--silent', name);
  const tarball = readdirSync(prefix).find((file) => file.endsWith('.tgz')) as string;
  execFileSync('tar', ['xzf', tarball], { cwd: prefix });
  rmSync(join(prefix, tarball));
  npm('install', ...flags, unpackedWith);
  return true;
}

if (import.meta.main) {
  const begins = process.argv.slice(2);
  const all = packages.map(({ folder }) => folder);
  installAgents(
    begins.length === 0 ? all : all.filter((folder) => begins.some((name) => folder.startsWith(name))),
  );
}
