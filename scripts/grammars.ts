import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { grammarSources } from './grammar-sources.ts';

/**
 * Downloads the grammars from the npm registry and stores them compressed in assets/grammars, at a tenth of their size.
 * So the grammar packages, which have native code, need not be installed. Run it after a change of grammar-sources.ts.
 * Every download must match its checksum.
 */

const target = 'assets/grammars';
const work = mkdtempSync(join(tmpdir(), 'backstory-grammars-'));

try {
  mkdirSync(target, { recursive: true });
  for (const { from, sha512, files } of grammarSources) {
    const stdout = execFileSync('npm', ['pack', '--silent', from], { cwd: work, encoding: 'utf8' });
    const tarball = join(work, stdout.trim());
    const found = createHash('sha512').update(readFileSync(tarball)).digest('base64');
    if (found !== sha512) throw new Error(`checksum mismatch for ${from}: ${found}`);
    execFileSync('tar', ['-xzf', tarball, '-C', work]);
    for (const [file, name] of Object.entries(files)) {
      const bytes = readFileSync(join(work, 'package', file));
      writeFileSync(join(target, `${name}.wasm.br`), compress(bytes));
    }
    rmSync(join(work, 'package'), { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true });
}

function compress(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
