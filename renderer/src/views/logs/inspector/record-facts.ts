import { isHeaderColumn } from '../../../../../engine/api/columns.ts';
import { headersInPlace, type HeaderName } from '../../../../../engine/api/headers.ts';
import type { FieldInfo, RecordDetail } from '../../../../../engine/api/types.ts';
import { fieldVariable, headerType, type ValueType } from '../../../../../engine/api/filter/expression.ts';
import { severityOf } from '../../../lib/severity.ts';
import type { ClickedValue } from '../../../state/filter/value-actions.ts';

/** One line of the inspector. */
export interface Fact extends ClickedValue {
  readonly key: string;
  /** Type and representation, for the tooltip. */
  readonly about: string;
  readonly unit: string;
}

const VALUE_TYPES: Readonly<Record<FieldInfo['type'], ValueType | null>> = {
  string: 'string',
  integer: 'number',
  double: 'number',
  bool: 'bool',
  // Bytes are shown in a form that no constant of an expression has.
  bytes: null,
};

/** The variables of the message itself, those that are set. */
export function baseFacts(record: RecordDetail): Fact[] {
  const { severity } = record;
  const units: Partial<Record<HeaderName, string>> = { Severity: severity === null ? '' : severityOf(severity).name, Timestamp: 'ns' };
  const optional = headersInPlace(1).flatMap(({ name, kind, member }): [HeaderName, string | number | null][] =>
    kind === 'uuid' || kind === 'time' || member === 'payload' ? [] : [[name, record[member]]],
  );
  const all = [...optional, ['Uuid', record.uuid] as const, ['Timestamp', record.timeNs] as const];
  return all.flatMap(([name, value]) => (value === null || value === '' ? [] : [header(name, String(value), units[name])]));
}

function header(name: HeaderName, value: string, unit = ''): Fact {
  const type = headerType(name);
  return { key: name, name, variable: name, type, value, column: isHeaderColumn(name) ? name : null, about: '', unit };
}

/** The fields, one line for each value: an instance of a repeated field and an element of an array are told apart by their place. */
export function fieldFacts(record: RecordDetail): Fact[] {
  const instances = new Map<string, number>();
  return record.fields.flatMap((field) => {
    const instance = instances.get(field.name) ?? 0;
    instances.set(field.name, instance + 1);
    return field.values.map((value, element) => fieldFact(field, value, instance, element));
  });
}

/** The facts that have a text in their names or values, in any case; all where there is none. */
export function factsWith(facts: readonly Fact[], text: string): readonly Fact[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return facts;
  return facts.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted));
}

function fieldFact(field: FieldInfo, value: string, instance: number, element: number): Fact {
  const type = VALUE_TYPES[field.type];
  const representation = field.representation ?? '';
  const place = field.values.length > 1 ? `[${element}]` : '';
  return {
    key: `${field.name} ${instance} ${element}`,
    name: field.name + place,
    variable: type === null ? null : fieldVariable(field.name, instance, element),
    type: type ?? 'string',
    value,
    column: field.name,
    about: representation === '' ? field.type : `${field.type}, ${representation}`,
    unit: representation,
  };
}
