import { headersInPlace, type HeaderName } from '../../../../engine/api/headers.ts';
import type { SchemaField, SchemaLogger } from '../../../../engine/api/types.ts';
import type { Variable } from '../../../../engine/api/filter/variable.ts';
import { fieldVariable, headerType, quote, type ValueType } from '../../../../engine/api/filter/expression.ts';
import { SEVERITIES } from '../severity.ts';

/** All fields of a schema by name; of several with one name, the commonest. */
export function fieldsOf(schema: readonly SchemaLogger[]): Map<string, SchemaField> {
  const fields = new Map<string, SchemaField>();
  for (const field of allFields(schema)) {
    const known = fields.get(field.name);
    if (known === undefined || known.count < field.count) fields.set(field.name, field);
  }
  return fields;
}

/** The number of records that have a field of each name, in all kinds of records. */
export function countsOf(schema: readonly SchemaLogger[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name, count } of allFields(schema)) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
}

function allFields(schema: readonly SchemaLogger[]): SchemaField[] {
  return schema.flatMap(({ types }) => types).flatMap(({ versions }) => versions.flatMap((version) => version.fields));
}

/** The type of the constant in a test of this field for this value. */
export function valueTypeOf(field: Pick<SchemaField, 'type'> | undefined, value: string): ValueType {
  if (field?.type === 'number') return 'number';
  if (field?.type === 'bool') return 'bool';
  // For a field of mixed types the form of the value decides.
  if (field?.type === 'mismatch' && isWrittenNumber(value)) return 'number';
  return 'string';
}

/** Whether the values of a field are numbers, or texts that are written like numbers. */
export function isNumeric({ type, samples }: Pick<SchemaField, 'type' | 'samples'>): boolean {
  return type === 'number' || (type !== 'bool' && samples.length > 0 && samples.every(isWrittenNumber));
}

/** Whether a text is written like a number. */
export const isWrittenNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** The variables that an expression can name, with the values that were seen. @param severities whether records have any */
export function variablesOf(schema: readonly SchemaLogger[], severities = false): Variable[] {
  const seen: Partial<Record<HeaderName, string[]>> = {
    Type: texts(schema.flatMap((logger) => logger.types.map((type) => type.name))),
    Logger: texts(schema.map((logger) => logger.name)),
    Severity: SEVERITIES.slice(0, 8).map((_severity, index) => String(index)),
  };
  const headers = headersInPlace(1).map(({ name, about }): Variable => {
    const variable = { name, about, type: headerType(name), constants: seen[name] ?? [] };
    return name === 'Severity' ? { ...variable, isLevel: severities } : variable;
  });
  const fieldTypes = typesOf(schema);
  const fields = [...fieldsOf(schema).values()].flatMap((field): Variable[] => {
    const name = fieldVariable(field.name);
    return name === null
      ? []
      : [{ name, about: aboutField(field), type: fieldTypes.get(field.name) ?? 'mixed', constants: constantsOf(field) }];
  });
  return [...fields.sort((a, b) => a.name.localeCompare(b.name)), ...headers];
}

/** The types of fields by name. */
function typesOf(schema: readonly SchemaLogger[]): Map<string, Variable['type']> {
  const types = new Map<string, Variable['type']>();
  for (const { name, type } of allFields(schema)) {
    const known = types.get(name) ?? type;
    types.set(name, type === 'mismatch' || known !== type ? 'mixed' : type);
  }
  return types;
}

function aboutField(field: SchemaField): string {
  return field.representation === null ? field.type : `${field.type}, ${field.representation}`;
}

function constantsOf(field: SchemaField): string[] {
  if (field.type === 'bool') return ['TRUE', 'FALSE'];
  if (field.type === 'number') return field.samples.filter((sample) => /^\d/.test(sample));
  return texts(field.samples);
}

function texts(values: readonly string[]): string[] {
  return [...new Set(values)].flatMap((value) => quote(value) ?? []);
}
