import type { Measure } from '../base/text/quantity.ts';
import { ValueType } from '../message/types.ts';
import { typeFacts } from '../message/value-types.ts';
import { keyText, type ColumnKey, type NamedColumn } from '../parquet/column-names.ts';
import { conversion, isUnit } from './units.ts';

/** Type of the values of a field as queries see them. */
export type FieldType = 'text' | 'bytes' | 'integer' | 'double' | 'bool';

/** A field as queries see it: all values of one name, whichever columns of the files hold them. */
export interface FieldShape {
  readonly name: string;
  /** Type of the plain name; `text` for values of several kinds. */
  readonly type: FieldType;
  /** Its values are of several kinds, or numbers that no type holds, so that texts stand for them. */
  readonly isMixed: boolean;
  /** Its texts and numbers are told apart by a column that has the numbers alone. */
  readonly hasNumbers: boolean;
  /** Its values are texts with units, such as `3ms`: what they measure. Their numbers are in seconds or bytes. */
  readonly quantity: Measure | null;
  /** Some message has several values, or none. */
  readonly hasSeveral: boolean;
  /** Unit to which the numbers are converted; null: they are as they stand. */
  readonly unit: string | null;
  /** The numbers are of units that cannot be converted: texts name them. */
  readonly namesUnits: boolean;
  /** Columns that have its values. The first one that a row has holds the first value of the message. */
  readonly keys: readonly ColumnKey[];
}

/** The fields that files hold, in the order in which they come. @param columns each column of each file */
export function fieldShapes(columns: readonly NamedColumn[]): FieldShape[] {
  return [...Map.groupBy(columns, ({ name }) => name)].map(([name, own]) => shapeOf(name, own));
}

function shapeOf(name: string, columns: readonly NamedColumn[]): FieldShape {
  const keys = [...new Map(columns.map((column) => [keyText(column), keyOf(column)])).values()];
  keys.sort((one, other) => rank(one) - rank(other));
  const kinds = new Set(keys.map(({ valueType }) => typeFacts(valueType).kind));
  const units = unitsOf(columns);
  const [unit = null] = units;
  const areAlike = unit === null || units.every((other) => conversion(other, unit) !== null);
  const several = keys.some(({ list, nth }) => list || nth > 0);
  const numbers = numberType(columns, units.length > 1);
  const isText = kinds.size > 1 || (kinds.has('number') && (!areAlike || numbers === null));
  const [kind] = kinds;
  const quantity = quantityOf(columns);
  const type = isText ? 'text' : kind === 'number' ? (numbers ?? 'double') : (kind as Exclude<typeof kind, 'number' | undefined>);
  return {
    name,
    type,
    isMixed: isText,
    hasNumbers:
      (isText && areAlike && kinds.has('number')) ||
      (type === 'text' && kinds.size === 1 && (quantity !== null || areWrittenNumbers(columns))),
    quantity,
    hasSeveral: several,
    unit: areAlike && units.length > 1 ? unit : null,
    namesUnits: !areAlike,
    keys,
  };
}

/** The units of the numbers, the first one first. */
function unitsOf(columns: readonly NamedColumn[]): string[] {
  const numbers = columns.filter(({ valueType }) => typeFacts(valueType).kind === 'number');
  return [...new Set(numbers.flatMap(({ representation }) => (isUnit(representation) ? representation : [])))];
}

/** The type that holds all numbers exactly; null: none does. */
function numberType(columns: readonly NamedColumn[], areConverted: boolean): 'integer' | 'double' | null {
  if (areConverted) return 'double';
  const integers = columns.filter(({ valueType }) => valueType === ValueType.INTEGER);
  const doubles = columns.filter(({ valueType }) => valueType === ValueType.DOUBLE);
  if (integers.length === 0) return 'double';
  if (doubles.every(({ whole }) => whole === true)) return 'integer';
  return integers.some(({ wide }) => wide === true) ? null : 'double';
}

/** The measure that all values have; null: they have none in common. */
function quantityOf([first, ...others]: readonly NamedColumn[]): Measure | null {
  const measure = first?.quantity ?? null;
  return others.every(({ quantity }) => quantity === measure) ? measure : null;
}

const areWrittenNumbers = (columns: readonly NamedColumn[]): boolean => columns.every(({ numbers }) => numbers === true);

/** Several fields of one message are in their order there; files of before count them by type. */
const rank = ({ valueType, list, nth }: ColumnKey): number => nth * 100 + (list ? 10 : 0) + typeFacts(valueType).rank;

const keyOf = ({ name, valueType, representation, list, nth }: NamedColumn): ColumnKey => ({ name, valueType, representation, list, nth });
