import { Buffer } from 'node:buffer';
import { headerNamed, type IntRow, type TextRow } from '../api/headers.ts';
import type { Field, Message } from '../message/types.ts';
import type {
  Condition,
  FieldReference,
  LookupCondition,
  Node,
  NumberVariable,
  PatternCondition,
  Relation,
  TextCondition,
  TextVariable,
} from './ast.ts';
import { compareUtf8, decodeBytes, formatUuid, satisfies } from './text.ts';

/**
 * Whether a message satisfies an expression. This is the plain reading of the language, value by value, against which the compiled form
 * for batches is tested.
 */
export function interpret(node: Node, message: Message): boolean {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'and':
      return node.terms.every((term) => interpret(term, message));
    case 'or':
      return node.terms.some((term) => interpret(term, message));
    case 'textHeader':
      return testText(node.condition, textHeader(node.variable, message));
    case 'numberHeader':
      return compareNumbers(node.condition.relation, numberHeader(node.variable, message), node.condition.value);
    case 'field':
      return testField(node.condition, fieldValue(node.field, message));
    case 'anyText':
      return testAnyText(node.condition, message);
  }
}

/** Whether some text of a message passes, or with the opposite none: its Payload and the texts of its fields. */
function testAnyText({ pattern, negated }: PatternCondition, message: Message): boolean {
  const test: Condition = { kind: 'pattern', pattern, negated: false };
  const isFound =
    testText(test, textHeader('Payload', message)) || message.fields.some(({ values }) => values.some((value) => testField(test, value)));
  return isFound !== negated;
}

function textHeader(variable: TextVariable, message: Message): string {
  if (variable === 'Uuid') return formatUuid(message.uuid, 0);
  const { member, unset } = headerNamed(variable) as TextRow;
  return message[member] ?? unset;
}

function numberHeader(variable: NumberVariable, message: Message): number {
  if (variable === 'Timestamp') return Number(message.timestamp);
  const { member, unset } = headerNamed(variable) as IntRow;
  return message[member] ?? unset;
}

type Value = Field['values'][number];

/** The referenced value, or undefined when there is no such instance or element. */
function fieldValue({ name, instance, element }: FieldReference, message: Message): Value | undefined {
  const named = message.fields.filter((field) => field.name === name);
  return named[instance]?.values[element];
}

function testField(condition: Condition, value: Value | undefined): boolean {
  if (condition.kind === 'exists') return (value !== undefined) === condition.expected;
  if (condition.kind === 'lookup') return testLookup(condition, value);
  if (value === undefined) return false;
  switch (condition.kind) {
    case 'boolean':
      return value === condition.value;
    case 'number':
      if (typeof value !== 'number' && typeof value !== 'bigint') return false;
      return compareNumbers(condition.relation, Number(value), condition.value);
    case 'text':
    case 'pattern':
    case 'networks':
      if (typeof value === 'string') return testText(condition, value);
      return value instanceof Uint8Array && testBytes(condition, value);
  }
}

function testLookup({ find, condition }: LookupCondition, value: Value | undefined): boolean {
  const key = value instanceof Uint8Array ? decodeBytes(value) : String(value);
  const found = value === undefined ? null : find(key);
  return testField(condition, found ?? undefined);
}

function testText(condition: TextCondition, value: string): boolean {
  if (condition.kind === 'lookup') return testLookup(condition, value);
  if (condition.kind === 'text') return satisfies(condition.relation, compareUtf8(value, 0, value.length, condition.value));
  const test = condition.kind === 'pattern' ? condition.pattern.test : condition.networks.contains;
  return test(value, 0, value.length) !== condition.negated;
}

function testBytes(condition: TextCondition, value: Uint8Array): boolean {
  if (condition.kind !== 'text') return testText(condition, decodeBytes(value));
  return satisfies(condition.relation, Buffer.compare(value, Buffer.from(condition.value, 'utf8')));
}

/** IEEE comparison: only `!=` is true of NaN. */
function compareNumbers(relation: Relation, left: number, right: number): boolean {
  switch (relation) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
  }
}
