/** The part of the global WebAssembly that is used here; Node's own types leave it out. */
interface WebAssemblyGlobal {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}

/**
 * What a program made by scripts/wasm.ts exports. Undefined where WebAssembly is switched off, the processor
 * cannot run it or it gets no memory: refused at the start, never while it runs, so callers have a plain way.
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
