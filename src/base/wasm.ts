/** The parts of the WebAssembly global used here; the types of Node omit it. */
interface WebAssemblyGlobal {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}

/**
 * Instantiates a program built by scripts/wasm.ts; undefined if WebAssembly is disabled, unsupported or out of memory.
 * This can only fail here, not during later calls; callers then use a JavaScript version.
 */
export function startWasm<Exports>(base64: string): Exports | undefined {
  const { WebAssembly } = globalThis as unknown as { WebAssembly?: WebAssemblyGlobal };
  if (WebAssembly === undefined) return undefined;
  try {
    const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
    return new WebAssembly.Instance(module).exports as Exports;
  } catch {
    return undefined;
  }
}
