import { ValueType } from './types.ts';

/** Facts about a type of values, for what shows, counts and stores them. */
interface TypeFacts {
  readonly type: ValueType;
  /** Name for people and for the window. */
  readonly name: 'string' | 'bytes' | 'integer' | 'double' | 'bool';
  /** Suffix of a column's name when a column of another type has that name. */
  readonly suffix: string;
  /** Kind of values that is different to a person. */
  readonly kind: 'text' | 'bytes' | 'number' | 'bool';
  /** Type in the counts of a schema. */
  readonly counted: 'string' | 'number' | 'bool';
  readonly sql: string;
  /** Its place when columns of several types come at once: the first one gets the plain name, and the first value. */
  readonly rank: number;
  /** Values, and their form in JSON, in the reference. */
  readonly meaning: readonly [values: string, json: string];
}

/** The table of the types, by their numbers. */
export const VALUE_TYPES: readonly TypeFacts[] = [
  {
    type: ValueType.STRING,
    name: 'string',
    suffix: 'text',
    kind: 'text',
    counted: 'string',
    sql: 'VARCHAR',
    rank: 3,
    meaning: ['text', 'a string'],
  },
  {
    type: ValueType.BYTES,
    name: 'bytes',
    suffix: 'bytes',
    kind: 'bytes',
    counted: 'string',
    sql: 'BLOB',
    rank: 4,
    meaning: ['bytes', 'a string in base64'],
  },
  {
    type: ValueType.INTEGER,
    name: 'integer',
    suffix: 'int',
    kind: 'number',
    counted: 'number',
    sql: 'BIGINT',
    rank: 0,
    meaning: ['int64', 'a number with all its digits'],
  },
  {
    type: ValueType.DOUBLE,
    name: 'double',
    suffix: 'double',
    kind: 'number',
    counted: 'number',
    sql: 'DOUBLE',
    rank: 1,
    meaning: ['IEEE double', 'a number, or `"nan"`, `"inf"`, `"-inf"`'],
  },
  {
    type: ValueType.BOOL,
    name: 'bool',
    suffix: 'bool',
    kind: 'bool',
    counted: 'bool',
    sql: 'BOOLEAN',
    rank: 2,
    meaning: ['true or false', '`true` or `false`'],
  },
];

export const typeFacts = (type: ValueType): TypeFacts => VALUE_TYPES[type] as TypeFacts;
