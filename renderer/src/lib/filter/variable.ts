import type { SchemaField } from '../../../../engine/api/types.ts';
import { headerType, isHeader, type ValueType } from '../../../../engine/api/filter/expression.ts';
import { valueTypeOf } from '../sources/schema-facts.ts';

/** The bare name of a field variable: `status` of `Fields[status]` and of `Fields[status][0][1]`; null: it is no field. */
function fieldName(variable: string): string | null {
  return /^Fields\[([^\]]+)\]/.exec(variable)?.[1] ?? null;
}

/** The name of a variable for the user. */
export function spokenName(variable: string): string {
  return fieldName(variable) ?? variable;
}

/** The type of the constant in a test of this variable for this value. */
export function variableType(variable: string, value: string, fields: ReadonlyMap<string, SchemaField>): ValueType {
  if (isHeader(variable)) return headerType(variable);
  const name = fieldName(variable);
  return valueTypeOf(name === null ? undefined : fields.get(name), value);
}
