import { textAt, type MessageBatch } from '../message/batch/batch.ts';
import { entryCount, type FieldColumn, type TextColumn } from '../message/batch/columns.ts';
import { typeFacts } from '../message/value-types.ts';

/** A field of the messages of one Logger, Type and EnvVersion. */
export interface CountedField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'bool' | 'mismatch';
  /** Number of its occurrences; a repeated field has more than one in a message. */
  readonly count: number;
}
interface CountedNode<Child> {
  /** Empty: the messages have none. */
  readonly name: string;
  readonly count: number;
  readonly children: readonly Child[];
}
type CountedVersion = CountedNode<CountedField>;
type CountedType = CountedNode<CountedVersion>;
export type CountedLogger = CountedNode<CountedType>;

type FieldType = CountedField['type'];

/** Messages of one Logger, Type and EnvVersion. */
interface Kind {
  readonly path: readonly [logger: string, type: string, version: string];
  count: number;
  readonly fields: Map<string, { type: FieldType; count: number }>;
}

/** Kinds and fields that are told apart; a stream that invents names must not take all memory. */
const MAX_NAMES = 10_000;

/** Counts messages by Logger, Type and EnvVersion, and their fields, from the columns of the batches. */
export class SchemaCounts {
  readonly #kinds = new Map<string, Kind>();
  #names = 0;

  observe(batch: MessageBatch): void {
    if (batch.length === 0) return;
    const headers = [batch.logger, batch.type, batch.envVersion] as const;
    if (headers.every(isConstant)) this.#countAlike(batch, this.#kindOf(batch, 0));
    else this.#countEach(batch);
  }

  /** The counts as a tree. */
  loggers(): CountedLogger[] {
    const tree: Writable<Writable<Writable<CountedField>>>[] = [];
    for (const { path, count, fields } of this.#kinds.values()) {
      const logger = nodeOf(tree, path[0], count);
      const type = nodeOf(logger.children, path[1], count);
      const version = nodeOf(type.children, path[2], count);
      for (const [name, field] of fields) version.children.push({ name, ...field });
    }
    return tree;
  }

  /** All messages are of one kind: a column counts as a whole. */
  #countAlike(batch: MessageBatch, kind: Kind | null): void {
    if (kind === null) return;
    kind.count += batch.length;
    for (const column of batch.fields) this.#countField(kind, column, entryCount(column, batch.length));
  }

  #countEach(batch: MessageBatch): void {
    const kinds = Array.from({ length: batch.length }, (_, row) => this.#kindOf(batch, row));
    for (const kind of kinds) if (kind !== null) kind.count++;
    for (const column of batch.fields) {
      const entries = entryCount(column, batch.length);
      for (let entry = 0; entry < entries; entry++) {
        const kind = kinds[column.rows === null ? entry : (column.rows[entry] as number)] ?? null;
        if (kind !== null) this.#countField(kind, column, 1);
      }
    }
  }

  #countField({ fields }: Kind, { name, valueType }: FieldColumn, count: number): void {
    if (count === 0) return;
    const type = typeFacts(valueType).counted;
    const known = fields.get(name);
    if (known !== undefined) {
      known.count += count;
      if (known.type !== type) known.type = 'mismatch';
    } else if (this.#hasRoom()) fields.set(name, { type, count });
  }

  /** null: there are too many. */
  #kindOf(batch: MessageBatch, row: number): Kind | null {
    const path = [textAt(batch.logger, row) ?? '', textAt(batch.type, row) ?? '', textAt(batch.envVersion, row) ?? ''] as const;
    const key = path.join('\u0000');
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    if (!this.#hasRoom()) return null;
    const kind: Kind = { path, count: 0, fields: new Map() };
    this.#kinds.set(key, kind);
    return kind;
  }

  #hasRoom(): boolean {
    return this.#names < MAX_NAMES && ++this.#names > 0;
  }
}

const isConstant = (column: TextColumn | null): boolean => column?.constant !== undefined || column === null;

interface Writable<Child> {
  readonly name: string;
  count: number;
  readonly children: Child[];
}

function nodeOf<Child>(nodes: Writable<Child>[], name: string, count: number): Writable<Child> {
  const known = nodes.find((node) => node.name === name);
  if (known === undefined) {
    const node = { name, count, children: [] };
    nodes.push(node);
    return node;
  }
  known.count += count;
  return known;
}
