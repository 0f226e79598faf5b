import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { Clock } from '../../base/clock.ts';
import { rulesOf } from './all-rules.ts';
import { createRuleTable, type RuleTable } from './extract.ts';
import type { GrammarName } from './grammars.ts';

/** A tree takes some twenty times the memory of its text; what is longer than this was not written by hand. */
export const maxParsedBytes = 4 * 1024 * 1024;

/** Grammars, each read when the first file of its language is parsed. */
export class GrammarParser {
  private readonly folder: string;
  private readonly clock: Clock;
  private readonly loaded = new Map<GrammarName, Promise<{ language: Language; table: RuleTable }>>();
  private parser: Promise<Parser> | undefined;

  /** `folder` holds the compressed grammars. */
  constructor(folder: string, clock: Clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /** Undefined when it took too long. `work` must not keep the tree. */
  async parse<T>(
    grammar: GrammarName,
    text: string,
    deadline: number,
    work: (tree: Tree, table: RuleTable) => T,
  ): Promise<T | undefined> {
    this.parser ??= this.start();
    const parser = await this.parser;
    const { language, table } = await this.load(grammar);
    parser.setLanguage(language);
    const tree = parser.parse(text, null, { progressCallback: () => this.clock.now() > deadline });
    if (tree === null) {
      // Else the next text would be taken for the rest of this one.
      parser.reset();
      return undefined;
    }
    try {
      return work(tree, table);
    } finally {
      tree.delete();
    }
  }

  private async start(): Promise<Parser> {
    await Parser.init({ wasmBinary: this.read('tree-sitter') });
    return new Parser();
  }

  private load(grammar: GrammarName): Promise<{ language: Language; table: RuleTable }> {
    const known = this.loaded.get(grammar);
    if (known !== undefined) return known;
    const loading = Language.load(this.read(grammar)).then((language) => ({
      language,
      table: createRuleTable(language, rulesOf[grammar]),
    }));
    this.loaded.set(grammar, loading);
    return loading;
  }

  private read(name: string): Uint8Array {
    return brotliDecompressSync(readFileSync(join(this.folder, `${name}.wasm.br`)));
  }
}
