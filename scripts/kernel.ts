import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

const source = 'src/store/sqlite/dot-products.wat';
const target = 'src/store/sqlite/dot-products-wasm.ts';

/** The kernel as a module of its bytes, so that bundles hold it and nobody has to find a file. */
export async function compileKernel(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat(source, readFileSync(source, 'utf8'), { simd: true });
  const { buffer } = module.toBinary({});
  module.destroy();
  const lines = Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/g)
    ?.map((line) => `  '${line}'`);
  return `/** Made from dot-products.wat by scripts/kernel.ts. */\nexport const dotProductsWasm =\n${lines?.join(' +\n')};\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(target, await compileKernel());
