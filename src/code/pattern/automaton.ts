import { isWordByte } from './classes.ts';
import type { Program } from './program.ts';
import { type Assertion, newline } from './syntax.ts';

/** What stands before the place a search has reached; assertions ask for it. */
export type Context = 'text-edge' | 'line-edge' | 'word' | 'other' | 'inside-letter';
const contexts: Context[] = ['text-edge', 'line-edge', 'word', 'other', 'inside-letter'];

export function contextOf(byte: number): Context {
  if (byte === newline) return 'line-edge';
  if (isWordByte[byte] === 1) return 'word';
  // A byte that goes on with the letter before it: there is no place between the two.
  return byte >= 0x80 && byte < 0xc0 ? 'inside-letter' : 'other';
}

/** Past this the table is thrown away and begun again, so memory is bounded for any pattern. */
const maxTableEntries = 1 << 20;

/**
 * Runs a program over bytes, one table look-up for each, making the states of the table as the text needs
 * them. A state is a set of program states and a context; a cell holds the next state, negated where a match
 * ends before the byte, 0 where nobody has been yet.
 */
export class Automaton {
  private readonly program: Program;
  private readonly classes = new Uint8Array(256);
  private readonly classByte: number[] = [];
  private readonly stride: number;
  private readonly mark: Int32Array;
  private round = 0;
  private table = new Int32Array(1024);
  private known = new Map<string, number>();
  private kernels: { states: number[]; context: Context }[] = [];

  constructor(program: Program) {
    this.program = program;
    this.mark = new Int32Array(program.states.length);
    this.partitionBytes();
    // One more column for the end of the text.
    this.stride = this.classByte.length + 1;
    this.clear();
  }

  /** Bytes that no set tells apart share a column. */
  private partitionBytes(): void {
    const seen = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      const key = `${this.program.sets.map((members) => members[byte]).join('')} ${contextOf(byte)}`;
      const known = seen.get(key) ?? this.classByte.push(byte) - 1;
      seen.set(key, known);
      this.classes[byte] = known;
    }
  }

  private clear(): void {
    this.table.fill(0);
    this.known.clear();
    this.kernels = [{ states: [], context: 'other' }];
  }

  /** The row of a state, as an offset into the table; the first row is never used, so 0 means unknown. */
  private rowOf(states: number[], context: Context): number {
    const key = `${String.fromCharCode(...states)}${contexts.indexOf(context)}`;
    const there = this.known.get(key);
    if (there !== undefined) return there;
    if ((this.kernels.length + 1) * this.stride > maxTableEntries) this.clear();
    const row = this.kernels.length * this.stride;
    this.kernels.push({ states, context });
    if (row + this.stride > this.table.length) {
      const larger = new Int32Array(this.table.length * 2 + this.stride);
      larger.set(this.table);
      this.table = larger;
    }
    this.known.set(key, row);
    return row;
  }

  private startRow(context: Context): number {
    return this.rowOf([this.program.start], context);
  }

  /**
   * The position at which the first match is known: on the last line that it touches, or `to`. -1 where there
   * is none. Begin at the start of a line.
   */
  findEnd(bytes: Uint8Array, from: number, to: number, before: Context, after: Context): number {
    const { classes } = this;
    let { table } = this;
    let row = this.startRow(before);
    for (let at = from; at < to; at++) {
      const kind = classes[bytes[at] as number] as number;
      let next = table[row + kind] as number;
      if (next === 0) {
        next = this.step(row, kind);
        table = this.table;
      }
      if (next < 0) return at;
      row = next;
    }
    return this.endsHere(row, after) ? to : -1;
  }

  /** For a reversed program: the lowest position at which a match begins that ends by `to`; -1 where none does. */
  findStart(bytes: Uint8Array, from: number, to: number, before: Context, after: Context): number {
    const { classes } = this;
    let row = this.startRow(after);
    let lowest = -1;
    for (let at = to - 1; at >= from; at--) {
      const kind = classes[bytes[at] as number] as number;
      let next = this.table[row + kind] as number;
      if (next === 0) next = this.step(row, kind);
      if (next < 0) {
        lowest = at + 1;
        next = -next;
      }
      row = next;
    }
    return this.endsHere(row, before) ? from : lowest;
  }

  private endsHere(row: number, context: Context): boolean {
    const { states, context: before } = this.kernels[row / this.stride] as (typeof this.kernels)[number];
    return this.close(states, before, context).isMatch;
  }

  private step(row: number, kind: number): number {
    const byte = this.classByte[kind] as number;
    const { states, context } = this.kernels[row / this.stride] as (typeof this.kernels)[number];
    const { bytes, isMatch } = this.close(states, context, contextOf(byte));
    const { states: all, start, sets } = this.program;
    const next = new Set([start]);
    for (const at of bytes) {
      const state = all[at] as { op: 'byte'; set: number; next: number };
      if ((sets[state.set] as Uint8Array)[byte] === 1) next.add(state.next);
    }
    const generation = this.kernels;
    const to = this.rowOf(
      [...next].sort((a, b) => a - b),
      contextOf(byte),
    );
    // After a clearing there is no row to note it in.
    if (generation === this.kernels) this.table[row + kind] = isMatch ? -to : to;
    return isMatch ? -to : to;
  }

  /** Every state reached without a byte, given what stands on both sides. */
  private close(states: number[], before: Context, after: Context): { bytes: number[]; isMatch: boolean } {
    const round = ++this.round;
    const { states: all } = this.program;
    const bytes: number[] = [];
    let isMatch = false;
    const stack = [...states];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.mark[at] === round) continue;
      this.mark[at] = round;
      const state = all[at] as (typeof all)[number];
      if (state.op === 'byte') bytes.push(at);
      else if (state.op === 'split') stack.push(state.other, state.next);
      else if (state.op === 'match') isMatch = true;
      else if (holds(state.what, before, after)) stack.push(state.next);
    }
    return { bytes, isMatch };
  }
}

function holds(what: Assertion, before: Context, after: Context): boolean {
  if (what === 'line-start') return before === 'line-edge' || before === 'text-edge';
  if (what === 'line-end') return after === 'line-edge' || after === 'text-edge';
  if (what === 'text-start') return before === 'text-edge';
  if (what === 'text-end') return after === 'text-edge';
  if (what === 'no-word-before') return before !== 'word';
  if (what === 'no-word-after') return after !== 'word';
  const isBoundary = (before === 'word') !== (after === 'word');
  if (what === 'word-boundary') return isBoundary;
  return !isBoundary && (what === 'no-word-boundary' ? after : before) !== 'inside-letter';
}
