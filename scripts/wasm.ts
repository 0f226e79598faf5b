import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

/** WebAssembly sources and the TypeScript constants they are compiled to, which the bundles contain. */
export const programs = [
  { wat: 'src/base/byte-loops.wat', target: 'src/base/byte-loops-wasm.ts', name: 'byteLoopsWasm' },
  {
    wat: 'src/store/sqlite/dot-products.wat',
    target: 'src/store/sqlite/dot-products-wasm.ts',
    name: 'dotProductsWasm',
  },
];

export async function assemble({ wat, name }: (typeof programs)[number]): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat(wat, readFileSync(wat, 'utf8'), { simd: true });
  const { buffer } = module.toBinary({});
  module.destroy();
  const lines = Buffer.from(buffer)
    .toString('base64')
    .match(/.{1,100}/g)
    ?.map((line) => `  '${line}'`);
  return `/** Made from ${wat.split('/').at(-1)} by scripts/wasm.ts. */\nexport const ${name} =\n${lines?.join(' +\n')};\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const program of programs) writeFileSync(program.target, await assemble(program));
}
