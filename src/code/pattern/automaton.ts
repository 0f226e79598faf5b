import { isWordByte } from './classes.ts';
import { invalidPattern } from './parse.ts';
import type { Program } from './program.ts';
import { type Assertion, newline } from './syntax.ts';

/** What is before the current position, on which assertions such as `^` and `\b` depend. */
export type Context = 'line-edge' | 'word' | 'other' | 'inside-character';
const contexts: Context[] = ['line-edge', 'word', 'other', 'inside-character'];

export function contextOf(byte: number): Context {
  if (byte === newline) return 'line-edge';
  if (isWordByte[byte] === 1) return 'word';
  // A continuation byte: there is no position between it and the byte before.
  return byte >= 0x80 && byte < 0xc0 ? 'inside-character' : 'other';
}

/** Thrown when a search runs out of time. */
export class DeadlineExceeded extends Error {}

/**
 * Limits the work of building the table: states visited per byte of text, plus an initial budget. Adjacent
 * counted repetitions such as `a.{0,300}b.{0,300}c` need a new state for nearly every byte. They are rejected
 * when that becomes apparent, instead of taking seconds per megabyte.
 */
const statesPerByte = 16;
const initialStateBudget = 4_000_000;
const statesBetweenChecks = 100_000;

/** Beyond this size the table is cleared and rebuilt, so that memory is bounded for any pattern. */
const maxTableEntries = 1 << 20;
const initialTableEntries = 1024;

/**
 * A lazily built DFA: one table lookup per byte, with states built as the text needs them. A state is a set
 * of program states and a context. A cell contains the next state, negated if a match ends before the byte,
 * or 0 if it has not been computed.
 */
export class Automaton {
  private readonly program: Program;
  private readonly classes: Uint8Array;
  private readonly classByte: number[] = [];
  private readonly stride: number;
  private readonly mark: Int32Array;
  /** Buffers for one step: states to visit, states that consume a byte, and the next states. */
  private readonly stack: Int32Array;
  private readonly reached: number[] = [];
  private readonly nextStates: Uint16Array;
  private round = 0;
  private table = new Int32Array(initialTableEntries);
  private known = new Map<string, number>();
  private kernels: { states: number[]; context: Context }[] = [];
  private readonly isExpired: () => boolean;
  private statesVisited = 0;
  private checkAt = statesBetweenChecks;
  private bytesScanned = 0;

  constructor(program: Program, isExpired: () => boolean = () => false) {
    this.program = program;
    this.isExpired = isExpired;
    this.mark = new Int32Array(program.states.length);
    this.stack = new Int32Array(program.states.length);
    this.nextStates = new Uint16Array(program.states.length);
    this.classes = this.partitionBytes();
    // One extra column for the end of the text.
    this.stride = this.classByte.length + 1;
    this.clear();
  }

  /** Bytes that no set distinguishes share a column. */
  private partitionBytes(): Uint8Array {
    const seen = new Map<string, number>();
    return Uint8Array.from({ length: 256 }, (_, byte) => {
      const key = `${this.program.sets.map((members) => members[byte]).join('')} ${contextOf(byte)}`;
      const known = seen.get(key) ?? this.classByte.push(byte) - 1;
      seen.set(key, known);
      return known;
    });
  }

  private clear(): void {
    this.table.fill(0);
    this.known.clear();
    this.kernels = [{ states: [], context: 'other' }];
  }

  /**
   * The row of a state as an offset into the table. The first row is unused, so that 0 means a cell that is not
   * computed.
   */
  private rowOf(states: number[], context: Context): number {
    const key = `${String.fromCharCode(...states)}${contexts.indexOf(context)}`;
    const existing = this.known.get(key);
    if (existing !== undefined) return existing;
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

  /**
   * The position where the first match is recognized: on the last line that it touches, or `to`; -1 if there is none.
   */
  findEnd(bytes: Uint8Array, from: number, to: number, before: Context, after: Context): number {
    const { classes } = this;
    let { table } = this;
    let row = this.rowOf([this.program.start], before);
    for (let at = from; at < to; at++) {
      const kind = classes[bytes[at] as number] as number;
      let next = table[row + kind] as number;
      if (next === 0) {
        next = this.step(row, kind);
        table = this.table;
        if (this.statesVisited > this.checkAt) this.check(at - from);
      }
      if (next < 0) {
        this.bytesScanned += at - from;
        return at;
      }
      row = next;
    }
    this.bytesScanned += to - from;
    return this.isMatchBefore(row, after) ? to : -1;
  }

  /** For a reversed program: returns the lowest start of a match that ends by `to`, or -1. */
  findStart(bytes: Uint8Array, from: number, to: number, before: Context, after: Context): number {
    const { classes } = this;
    let row = this.rowOf([this.program.start], after);
    let lowest = -1;
    for (let at = to - 1; at >= from; at--) {
      const kind = classes[bytes[at] as number] as number;
      let next = this.table[row + kind] as number;
      if (next === 0) {
        next = this.step(row, kind);
        if (this.statesVisited > this.checkAt) this.check(to - at);
      }
      if (next < 0) {
        lowest = at + 1;
        next = -next;
      }
      row = next;
    }
    this.bytesScanned += to - from;
    return this.isMatchBefore(row, before) ? from : lowest;
  }

  private check(bytesScannedNow: number): void {
    this.checkAt = this.statesVisited + statesBetweenChecks;
    if (this.statesVisited > initialStateBudget + (this.bytesScanned + bytesScannedNow) * statesPerByte) {
      throw invalidPattern(
        'too many repetitions side by side for this text',
        'Use .* instead of counts, or narrow it by path',
      );
    }
    if (this.isExpired()) throw new DeadlineExceeded();
  }

  private isMatchBefore(row: number, context: Context): boolean {
    const { states, context: before } = this.kernels[row / this.stride] as (typeof this.kernels)[number];
    return this.close(states, before, context);
  }

  private step(row: number, kind: number): number {
    const byte = this.classByte[kind] as number;
    const { states, context } = this.kernels[row / this.stride] as (typeof this.kernels)[number];
    const isMatch = this.close(states, context, contextOf(byte));
    const { states: all, start, sets } = this.program;
    const round = ++this.round;
    let count = 0;
    const add = (state: number): void => {
      if (this.mark[state] === round) return;
      this.mark[state] = round;
      this.nextStates[count++] = state;
    };
    add(start);
    for (const at of this.reached) {
      const state = all[at] as (typeof all)[number];
      if (state.op === 'byte') {
        if ((sets[state.set] as Uint8Array)[byte] === 1) add(state.next);
      } else if (state.op === 'character') {
        for (const { set, next } of state.transitions) {
          if ((sets[set] as Uint8Array)[byte] === 1) add(next);
          // For an ASCII byte, only the first transition can apply.
          if (byte < 128) break;
        }
      }
    }
    const generation = this.kernels;
    const to = this.rowOf(Array.from(this.nextStates.subarray(0, count).sort()), contextOf(byte));
    // If `rowOf` has cleared the table meanwhile, the row to write to no longer exists.
    if (generation === this.kernels) this.table[row + kind] = isMatch ? -to : to;
    return isMatch ? -to : to;
  }

  /** Collects the states reachable without a byte in this context; returns whether a match ends here. */
  private close(states: number[], before: Context, after: Context): boolean {
    const round = ++this.round;
    const { states: all } = this.program;
    const { stack, reached } = this;
    let isMatch = false;
    let height = 0;
    reached.length = 0;
    const enter = (state: number): void => {
      if (this.mark[state] === round) return;
      this.mark[state] = round;
      stack[height++] = state;
    };
    for (const state of states) enter(state);
    while (height > 0) {
      const at = stack[--height] as number;
      const state = all[at] as (typeof all)[number];
      this.statesVisited++;
      if (state.op === 'byte' || state.op === 'character') reached.push(at);
      else if (state.op === 'split') {
        enter(state.other);
        enter(state.next);
      } else if (state.op === 'match') isMatch = true;
      else if (isSatisfied(state.what, before, after)) enter(state.next);
    }
    return isMatch;
  }
}

function isSatisfied(what: Assertion, before: Context, after: Context): boolean {
  if (what === 'line-start') return before === 'line-edge';
  if (what === 'line-end') return after === 'line-edge';
  if (what === 'no-word-before') return before !== 'word';
  if (what === 'no-word-after') return after !== 'word';
  const isBoundary = (before === 'word') !== (after === 'word');
  if (what === 'word-boundary') return isBoundary;
  return !isBoundary && (what === 'no-word-boundary' ? after : before) !== 'inside-character';
}
