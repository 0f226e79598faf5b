import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

/** The WebAssembly source and the TypeScript constant it is compiled to, which the bundles contain. */
const wat = 'src/store/sqlite/dot-products.wat';
export const target = 'src/store/sqlite/dot-products-wasm.ts';

export async function assemble(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat(wat, readFileSync(wat, 'utf8'), { simd: true });
  const { buffer } = module.toBinary({});
  module.destroy();
  const lines = Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/g)
    ?.map((line) => `  '${line}'`);
  return `/** Made from dot-products.wat by scripts/wasm.ts. */\nexport const dotProductsWasm =\n${lines?.join(' +\n')};\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(target, await assemble());
