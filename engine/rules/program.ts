import type { Matcher } from '../matcher/matcher.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { concatBatches, takeRows } from '../message/batch/gather.ts';
import { withMadeTexts } from '../message/batch/held-texts.ts';
import { Automaton, type Found } from './automaton.ts';
import { placesOf, type SourceEntry } from './logsources.ts';
import type { DetectionRule, Node, Test } from './model.ts';
import { fieldTest, fragmentOfTest, valueTest } from './tests.ts';
import { BatchViews, firstText, type View, type Visit } from './views.ts';

/** Called for each hit, while the values of the message can be asked for. */
export type OnHit = (rule: DetectionRule, row: number, values: (field: string) => readonly string[]) => void;

/** A rule, and what narrows the messages of its source; null: it is about all of them. */
export interface NarrowedRule {
  readonly rule: DetectionRule;
  readonly where: Matcher | null;
}

/** Messages that a program is run on. */
export interface ProgramInput {
  readonly batch: MessageBatch;
  readonly views: BatchViews;
  /** null: all of the batch. */
  readonly rows: Uint32Array | null;
}

/** A test of a field, which several rules may have. */
interface Atom {
  readonly field: FieldProgram;
  readonly test: Test;
  /** A text that is found in each value that passes; null: values are tested one by one when they are asked for. */
  readonly fragment: { readonly text: string; readonly isWhole: boolean } | null;
  /** Tests a value; null: the test is not about values. */
  readonly passes: ((text: string) => boolean) | null;
  /** The message for which it was found to be true, or for which it was tested. */
  trueAt: number;
  testedAt: number;
  /** Rules that can only be true when this test, or another one of their tests, is. */
  readonly triggers: Runnable[];
}

interface Runnable {
  readonly rule: DetectionRule;
  readonly holds: () => boolean;
  readonly where: Narrowing | null;
  /** The message for which it is a candidate. */
  candidateAt: number;
}

/** Condition that narrows messages, and the rows of the batch at hand that it leaves; it is asked when a rule is true. */
interface Narrowing {
  readonly matcher: Matcher;
  rows: Uint8Array | null;
}

/** The tests of a field, and what finds their texts. */
interface FieldProgram {
  readonly places: readonly string[];
  readonly atoms: Atom[];
  /** Finds the texts of its tests in a value; null: they have none. */
  scan: Visit | null;
  /** Its values in the batch at hand. */
  views: readonly View[];
}

/** Records of one event at the end of a batch, which may go on in the next one. */
interface Torn {
  readonly batch: MessageBatch;
  /** Rules that are true of them. */
  readonly told: ReadonlySet<DetectionRule>;
}

/** Events whose end may still come, and records of each: those with more are looked at as they come. */
const [MOST_TORN, MOST_TORN_ROWS] = [8, 64];

/** The rules of one log source, run over the rows of a batch: a walk over the values of each field finds the texts of all rules, and only rules of which one was found are looked at. */
export class Program {
  readonly #entry: SourceEntry | null;
  readonly #fields = new Map<string, FieldProgram>();
  readonly #scanned: FieldProgram[];
  readonly #atoms = new Map<string, Atom>();
  /** Rules without a text that must be found. */
  readonly #always: Runnable[] = [];
  readonly #narrowings = new Map<Matcher, Narrowing>();
  readonly #candidates: Runnable[] = [];
  /** Number of the message at hand, from 1 on. */
  #now = 0;
  #from = 0;
  #to = 0;
  /** The key of the first row behind the event at hand. */
  #next: { readonly views: BatchViews; readonly row: number; readonly key: string } | null = null;
  /** By the key of the event. */
  readonly #torn = new Map<string, Torn>();

  /** @param entry null: messages that no decoder of the table has made */
  constructor(entry: SourceEntry | null, rules: readonly NarrowedRule[]) {
    this.#entry = entry;
    for (const rule of rules) this.#add(rule);
    this.#scanned = [...this.#fields.values()].filter((field) => this.#prepare(field));
  }

  /** Runs the rules over messages. */
  run(input: ProgramInput, onHit: OnHit): void {
    const { together } = this.#entry ?? {};
    if (together === undefined) return void this.#runOver(input, onHit);
    const rest = this.#runTorn(input, together, onHit);
    const told = new Map<number, Set<DetectionRule>>();
    const last = this.#runOver({ ...input, rows: rest }, (rule, row, values) => {
      onHit(rule, row, values);
      told.set(row, (told.get(row) ?? new Set()).add(rule));
    });
    if (last !== null) this.#keepTorn(input, together, last, told.get(last) ?? new Set());
  }

  /** Looks at the first event of a batch together with its records at the end of a batch before. @returns the rows that are left */
  #runTorn({ batch, views, rows }: ProgramInput, together: string, onHit: OnHit): Uint32Array | null {
    const key = keyAt(views, together, 0);
    const torn = this.#torn.get(key);
    if (torn === undefined || (rows !== null && rows[0] !== 0)) return rows;
    this.#torn.delete(key);
    const end = this.#endOfUnit(rows, 0, rows?.length ?? batch.length, views);
    const joined = concatBatches([
      torn.batch,
      takeRows(
        batch,
        Uint32Array.from({ length: end }, (_, row) => row),
      ),
    ]);
    const told = new Set(torn.told);
    this.#runOver({ batch: joined, views: new BatchViews(joined), rows: null }, (rule, _row, values) => {
      if (!told.has(rule)) onHit(rule, 0, values);
      told.add(rule);
    });
    if (end === batch.length && joined.length <= MOST_TORN_ROWS) this.#torn.set(key, { batch: joined, told });
    return rows === null ? Uint32Array.from({ length: batch.length - end }, (_, i) => i + end) : rows.subarray(end);
  }

  /** Keeps the event at the end of a batch. @param from its first row */
  #keepTorn({ batch, views }: ProgramInput, together: string, from: number, told: ReadonlySet<DetectionRule>): void {
    const key = keyAt(views, together, from);
    if (key === '' || batch.length - from > MOST_TORN_ROWS) return;
    const own = takeRows(
      batch,
      Uint32Array.from({ length: batch.length - from }, (_, i) => from + i),
    );
    this.#torn.set(key, { batch: withMadeTexts(concatBatches([own])), told });
    if (this.#torn.size > MOST_TORN) this.#torn.delete(this.#torn.keys().next().value as string);
  }

  /** @returns the first row of the last event, where that is at the end of the batch; null: there is none */
  #runOver({ batch, views, rows }: ProgramInput, onHit: OnHit): number | null {
    for (const field of this.#fields.values()) field.views = field.places.flatMap((place) => views.of(place));
    for (const narrowing of this.#narrowings.values()) narrowing.rows = null;
    const scanned = this.#scanned.filter((field) => field.views.length > 0);
    const valuesOf = (name: string): readonly string[] =>
      placesOf(this.#entry, name).flatMap((place) => views.of(place).flatMap((view) => this.#textsIn(view)));
    const tell = ({ rule, holds, where }: Runnable): void => {
      if (where !== null && (where.rows ??= flagsOf(where.matcher, batch, rows))[this.#from] === 0) return;
      if (holds()) onHit(rule, this.#from, valuesOf);
    };
    const count = rows === null ? batch.length : rows.length;
    for (let i = 0; i < count;) {
      const next = this.#endOfUnit(rows, i, count, views);
      this.#now++;
      this.#from = rows === null ? i : (rows[i] as number);
      this.#to = this.#from + next - i;
      i = next;
      for (const field of scanned) this.#scan(field);
      if (this.#candidates.length > 0) this.#candidates.splice(0).forEach(tell);
      this.#always.forEach(tell);
    }
    return count > 0 && this.#to === batch.length ? this.#from : null;
  }

  /** The place behind the row at `i` and its neighbours that are one event with it. */
  #endOfUnit(rows: Uint32Array | null, i: number, count: number, views: BatchViews): number {
    const together = this.#entry?.together;
    if (together === undefined) return i + 1;
    const from = rows === null ? i : (rows[i] as number);
    const key = this.#next?.views === views && this.#next.row === from ? this.#next.key : keyAt(views, together, from);
    this.#next = null;
    for (let end = i + 1; end < count; end++) {
      const row = from + end - i;
      if ((rows === null ? end : rows[end]) !== row) return end;
      const other = keyAt(views, together, row);
      if (other === key) continue;
      this.#next = { views, row, key: other };
      return end;
    }
    return count;
  }

  #scan({ views, scan }: FieldProgram): void {
    for (const view of views) for (let row = this.#from; row < this.#to; row++) view.each(row, scan as Visit);
  }

  /** Notes the tests that a text in a value makes true. */
  #found(atoms: readonly Atom[], text: string, start: number, end: number, foundTo: number): void {
    for (const atom of atoms) {
      if (atom.trueAt === this.#now || !isThere(atom, text, start, end, foundTo)) continue;
      atom.trueAt = this.#now;
      for (const runnable of atom.triggers) {
        if (runnable.candidateAt === this.#now) continue;
        runnable.candidateAt = this.#now;
        this.#candidates.push(runnable);
      }
    }
  }

  #add({ rule, where }: NarrowedRule): void {
    const triggers = new Map<Node, Atom>();
    const holds = this.#compile(rule.condition, triggers);
    const runnable: Runnable = { rule, holds, where: where === null ? null : this.#narrowing(where), candidateAt: 0 };
    const chosen = triggersOf(rule.condition, triggers);
    if (chosen === null) {
      // A rule that only asks for something not to be there would be true for any other log.
      if (this.#entry !== null) this.#always.push(runnable);
    } else for (const atom of chosen.atoms) atom.triggers.push(runnable);
  }

  #narrowing(matcher: Matcher): Narrowing {
    const narrowing = this.#narrowings.get(matcher) ?? { matcher, rows: null };
    this.#narrowings.set(matcher, narrowing);
    return narrowing;
  }

  #compile(node: Node, triggers: Map<Node, Atom>): () => boolean {
    switch (node.kind) {
      case 'constant':
        return () => node.value;
      case 'not': {
        const part = this.#compile(node.part, triggers);
        return () => !part();
      }
      case 'and': {
        const parts = node.parts.map((part) => this.#compile(part, triggers));
        return () => parts.every(isTrue);
      }
      case 'or': {
        const parts = node.parts.map((part) => this.#compile(part, triggers));
        return () => parts.some(isTrue);
      }
      case 'test': {
        const atom = this.#atom(node.field, node.test);
        if (atom.fragment === null) return () => this.#holds(atom);
        triggers.set(node, atom);
        return () => atom.trueAt === this.#now;
      }
    }
  }

  #atom(name: string, test: Test): Atom {
    const field = this.#field(name);
    const key = `${name}\0${keyOf(test)}`;
    const known = this.#atoms.get(key);
    if (known !== undefined) return known;
    if (test.kind === 'field') this.#field(test.other);
    const atom: Atom = { field, test, fragment: fragmentOfTest(test), passes: valueTest(test), trueAt: 0, testedAt: 0, triggers: [] };
    this.#atoms.set(key, atom);
    field.atoms.push(atom);
    return atom;
  }

  #field(name: string): FieldProgram {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const field: FieldProgram = { places: placesOf(this.#entry, name), atoms: [], scan: null, views: [] };
    this.#fields.set(name, field);
    return field;
  }

  /** Makes the automaton of a field. @returns whether it has one */
  #prepare(field: FieldProgram): boolean {
    const byText = new Map<string, Atom[]>();
    for (const atom of field.atoms) {
      if (atom.fragment === null) continue;
      const { text } = atom.fragment;
      const uses = byText.get(text);
      if (uses === undefined) byText.set(text, [atom]);
      else uses.push(atom);
    }
    if (byText.size === 0) return false;
    const automaton = new Automaton([...byText.keys()]);
    const uses = [...byText.values()];
    let [text, start, end] = ['', 0, 0];
    const found: Found = (pattern, foundTo) => this.#found(uses[pattern] as readonly Atom[], text, start, end, foundTo);
    field.scan = (value, from, to) => {
      text = value;
      start = from;
      end = to;
      automaton.scan(value, from, to, found);
    };
    return true;
  }

  /** Tests the values of the message at hand, once for all rules. */
  #holds(atom: Atom): boolean {
    if (atom.testedAt !== this.#now) {
      atom.testedAt = this.#now;
      if (this.#test(atom)) atom.trueAt = this.#now;
    }
    return atom.trueAt === this.#now;
  }

  #test({ field, test, passes }: Atom): boolean {
    const texts = field.views.flatMap((view) => this.#textsIn(view));
    switch (test.kind) {
      case 'null':
        return texts.length === 0;
      case 'exists':
        return texts.length > 0;
      case 'field': {
        const others = this.#field(test.other).views.flatMap((view) => this.#textsIn(view));
        return texts.some((text) => others.some((other) => fieldTest(test.place, text, other)));
      }
      default:
        return passes !== null && texts.some(passes);
    }
  }

  #textsIn(view: View): readonly string[] {
    const texts: string[] = [];
    for (let row = this.#from; row < this.#to; row++) view.each(row, (text, start, end) => texts.push(text.slice(start, end)));
    return texts;
  }
}

/** The first value of a field in a row; empty: it has none. */
const keyAt = (views: BatchViews, field: string, row: number): string => firstText(views.of(field), row) ?? '';

/** Flags of the rows that a matcher selects. */
function flagsOf(matcher: Matcher, batch: MessageBatch, rows: Uint32Array | null): Uint8Array {
  const flags = new Uint8Array(batch.length);
  const selected = matcher.select(batch, rows);
  if (selected === null) return flags.fill(1);
  for (const row of selected) flags[row] = 1;
  return flags;
}

/** Whether the value [start, end) passes, in which the text of the test ends at `foundTo`. */
function isThere({ test, fragment, passes }: Atom, text: string, start: number, end: number, foundTo: number): boolean {
  if (fragment?.isWhole !== true || test.kind !== 'text') return passes?.(text.slice(start, end)) === true;
  const { fromStart, toEnd } = test.pattern;
  return (!toEnd || foundTo === end) && (!fromStart || foundTo - fragment.text.length === start);
}

const isTrue = (holds: () => boolean): boolean => holds();

/** Tests of which one must be true, and the length of the shortest of their texts. */
interface Triggers {
  readonly atoms: readonly Atom[];
  readonly length: number;
}

/** The tests of which one must be true where the condition is; null: it can be true without any. */
function triggersOf(node: Node, atoms: ReadonlyMap<Node, Atom>): Triggers | null {
  switch (node.kind) {
    case 'constant':
      return node.value ? null : { atoms: [], length: Infinity };
    case 'not':
      return null;
    case 'test': {
      const atom = atoms.get(node);
      return atom === undefined ? null : { atoms: [atom], length: atom.fragment?.text.length ?? 0 };
    }
    case 'and': {
      const parts = node.parts.map((part) => triggersOf(part, atoms)).filter((part) => part !== null);
      return parts.reduce<Triggers | null>((best, part) => (best === null || part.length > best.length ? part : best), null);
    }
    case 'or': {
      const parts = node.parts.map((part) => triggersOf(part, atoms));
      if (parts.includes(null)) return null;
      const known = parts as readonly Triggers[];
      return { atoms: known.flatMap((part) => part.atoms), length: Math.min(...known.map(({ length }) => length)) };
    }
  }
}

/** Tests with the same key are one. */
function keyOf(test: Test): string {
  switch (test.kind) {
    case 'regex':
      return `regex ${test.pattern.source}`;
    case 'networks':
      return `networks ${test.networks.source}`;
    default:
      return JSON.stringify(test);
  }
}

/** Whether a rule says the text of a field that must be there: then it can be run on messages of any decoder. */
export function needsField(node: Node): boolean {
  switch (node.kind) {
    case 'test':
      return node.field !== '' && fragmentOfTest(node.test) !== null;
    case 'and':
      return node.parts.some(needsField);
    case 'or':
      return node.parts.every(needsField);
    case 'not':
    case 'constant':
      return false;
  }
}
