import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import type { Clock } from '../../base/clock.ts';
import { createRuleTable, type RuleTable } from './extract.ts';
import type { GrammarName } from './grammars.ts';
import type { LanguageRules } from './rule.ts';
import { cRules } from './rules/c.ts';
import { csharpRules } from './rules/csharp.ts';
import { goRules } from './rules/go.ts';
import { javaRules } from './rules/java.ts';
import { phpRules } from './rules/php.ts';
import { pythonRules } from './rules/python.ts';
import { rubyRules } from './rules/ruby.ts';
import { rustRules } from './rules/rust.ts';
import { typescriptRules } from './rules/typescript.ts';

const rulesOf: Record<GrammarName, LanguageRules> = {
  typescript: typescriptRules,
  tsx: typescriptRules,
  javascript: typescriptRules,
  python: pythonRules,
  go: goRules,
  rust: rustRules,
  java: javaRules,
  c: cRules,
  cpp: cRules,
  ruby: rubyRules,
  php: phpRules,
  csharp: csharpRules,
};

/** A tree takes about twenty times the memory of its text; larger files were not written by hand. */
export const maxParsedBytes = 4 * 1024 * 1024;

/** Parses texts with Tree-sitter. Each grammar is loaded with the first file of its language. */
export class GrammarParser {
  private readonly folder: string;
  private readonly clock: Clock;
  private readonly loaded = new Map<GrammarName, Promise<{ language: Language; table: RuleTable }>>();
  private parser: Promise<Parser> | undefined;

  /** `folder` contains the compressed grammars. */
  constructor(folder: string, clock: Clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /**
   * Parses a text and runs `work` on the syntax tree, which `work` must not keep. Returns undefined if the deadline
   * passes.
   */
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
      // The deadline passed. Without a reset, the parser would treat the next text as the rest of this one.
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
