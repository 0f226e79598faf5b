import { readFileSync, writeFileSync } from 'node:fs';
import createWabt from 'wabt';

/** Makes the programs written in WebAssembly's text form into the constants that are bundled. */
export async function assemble(file: string): Promise<string> {
  const wabt = await createWabt();
  const module = wabt.parseWat(file, readFileSync(file, 'utf8'), { simd: true });
  const { buffer } = module.toBinary({});
  module.destroy();
  return Buffer.from(buffer).toString('base64');
}

export const sources = [
  { wat: 'src/base/byte-loops.wat', out: 'src/base/byte-loops-wasm.ts', name: 'byteLoopsWasm' },
];

export const sourceOf = (name: string, wat: string, base64: string): string =>
  `/** Made from ${wat.split('/').at(-1)} by scripts/wasm.ts. */\nexport const ${name} =\n  '${base64}';\n`;

if (import.meta.main) {
  for (const { wat, out, name } of sources) writeFileSync(out, sourceOf(name, wat, await assemble(wat)));
}
