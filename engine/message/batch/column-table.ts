import { firstIndex } from '../binary-search.ts';
import type { ValueType } from '../types.ts';

/** Properties that all fields of one column have in common. */
interface ColumnKey {
  readonly name: string;
  readonly valueType: ValueType;
  /** null: absent. */
  readonly representation: string | null;
}

/** A column in the making: its key and its place among the columns. */
export interface KeyedColumn extends ColumnKey {
  readonly index: number;
}

interface Slot<C extends KeyedColumn> {
  readonly column: C;
  /** The slot that last came after this one; most streams repeat the same shape. */
  next: Slot<C> | null;
}

/**
 * Places fields in columns so that every message's fields are in ascending column order: a field goes to the first column with
 * its key behind the column of the field before it. Takes O(log n) for a field, whatever names a stream brings.
 */
export class ColumnTable<C extends KeyedColumn> {
  readonly columns: C[] = [];
  readonly #slots: Slot<C>[] = [];
  /** The slots of one key, ascending. */
  readonly #byKey = new Map<string, Slot<C>[]>();
  #first: Slot<C> | null = null;
  readonly #create: (index: number, name: string, valueType: ValueType, representation: string | null) => C;

  constructor(create: (index: number, name: string, valueType: ValueType, representation: string | null) => C) {
    this.#create = create;
  }

  /** The column that came behind this one last time (-1: that came first in a message); null when none did. */
  guess(previous: number): C | null {
    const guess = previous < 0 ? this.#first : (this.#slots[previous] as Slot<C>).next;
    return guess === null ? null : guess.column;
  }

  /** The first column of this key with an index above `previous` (-1 at the start of a message); a new last one when there is none. */
  place(previous: number, name: string, valueType: ValueType, representation: string | null): C {
    const before = previous < 0 ? null : (this.#slots[previous] as Slot<C>);
    const guess = before === null ? this.#first : before.next;
    if (guess !== null && matches(guess.column, name, valueType, representation)) return guess.column;
    const slot = this.#lookUp(previous, name, valueType, representation);
    if (before === null) this.#first = slot;
    else before.next = slot;
    return slot.column;
  }

  #lookUp(previous: number, name: string, valueType: ValueType, representation: string | null): Slot<C> {
    const key = keyOf(name, valueType, representation);
    const slots = this.#byKey.get(key) ?? [];
    if (slots.length === 0) this.#byKey.set(key, slots);
    const found = slots[firstIndex(slots.length, (i) => (slots[i] as Slot<C>).column.index > previous)];
    if (found !== undefined) return found;
    const slot: Slot<C> = { column: this.#create(this.columns.length, name, valueType, representation), next: null };
    this.columns.push(slot.column);
    this.#slots.push(slot);
    slots.push(slot);
    return slot;
  }
}

function matches(column: ColumnKey, name: string, valueType: ValueType, representation: string | null): boolean {
  return column.name === name && column.valueType === valueType && column.representation === representation;
}

/** Injective: the representation's length says where the name begins. */
function keyOf(name: string, valueType: ValueType, representation: string | null): string {
  return representation === null ? `${valueType}:${name}` : `${valueType}+${representation.length}:${representation}${name}`;
}
