import { Buffer } from 'node:buffer';
import type { Condition, LookupCondition, NumberCondition, TextCondition } from './ast.ts';
import type { Networks } from '../base/text/networks.ts';
import { lookupVersion } from '../lookup/folder.ts';
import type { LookupValue } from '../lookup/lookup.ts';
import { compareUtf8, decodeBytes, satisfies } from './text.ts';

/** A condition on text, without the text being cut out of its backing. */
export interface TextTest {
  /** On `text.slice(start, end)`. */
  readonly text: (text: string, start: number, end: number) => boolean;
  /** On the bytes [start, end). */
  readonly bytes: (bytes: Uint8Array, start: number, end: number) => boolean;
  /** Set when the condition is that the text contains this one. */
  readonly needle: string | null;
  /** A text in lower case that each text of Latin-1 that satisfies the condition has in some case; null: not known. */
  readonly required: string | null;
}

const UNKNOWN = { needle: null, required: null } as const;

export function textTest(condition: TextCondition): TextTest {
  if (condition.kind === 'text') {
    const { relation, value } = condition;
    const wanted = Buffer.from(value, 'utf8');
    const bytes: TextTest['bytes'] = (all, start, end) => satisfies(relation, Buffer.compare(all.subarray(start, end), wanted));
    if (relation === '==') return { text: equalTo(value), bytes, ...UNKNOWN };
    if (relation === '!=') {
      const equal = equalTo(value);
      return { text: (text, start, end) => !equal(text, start, end), bytes, ...UNKNOWN };
    }
    return { text: (text, start, end) => satisfies(relation, compareUtf8(text, start, end, value)), bytes, ...UNKNOWN };
  }
  if (condition.kind === 'networks') return networksTest(condition.networks, condition.negated);
  if (condition.kind === 'lookup') return keyTextTest(keyTest(condition));
  const { negated, pattern } = condition;
  const text: TextTest['text'] = negated ? (value, start, end) => !pattern.test(value, start, end) : pattern.test;
  const bytes: TextTest['bytes'] = (all, start, end) => {
    const value = decodeBytes(all.subarray(start, end));
    return text(value, 0, value.length);
  };
  const needle = !negated && pattern.literal?.kind === 'contains' ? pattern.literal.text : null;
  return { text, bytes, needle, required: negated ? null : pattern.required };
}

/** Texts that are no addresses are in no network. */
function networksTest({ contains }: Networks, negated: boolean): TextTest {
  const text: TextTest['text'] = negated ? (value, start, end) => !contains(value, start, end) : contains;
  const bytes: TextTest['bytes'] = (all, start, end) => {
    const value = decodeBytes(all.subarray(start, end));
    return text(value, 0, value.length);
  };
  return { text, bytes, ...UNKNOWN };
}

function keyTextTest(isKey: (key: string) => boolean): TextTest {
  return {
    text: (text, start, end) => isKey(text.slice(start, end)),
    bytes: (all, start, end) => isKey(decodeBytes(all.subarray(start, end))),
    ...UNKNOWN,
  };
}

/** Answers that are kept: logs have most addresses many times. */
const MOST_KEPT = 1 << 16;

/** Whether what a lookup has for a key satisfies its condition. */
function keyTest({ find, condition }: LookupCondition): (key: string) => boolean {
  const isMet = valueTest(condition);
  const known = new Map<string, boolean>();
  let version = lookupVersion();
  return (key) => {
    if (version !== lookupVersion()) known.clear();
    version = lookupVersion();
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const met = isMet(find(key));
    if (known.size >= MOST_KEPT) known.clear();
    // A piece of a text would keep all of it in memory.
    known.set(Buffer.from(key, 'utf16le').toString('utf16le'), met);
    return met;
  };
}

function valueTest(condition: Condition): (value: LookupValue | null) => boolean {
  if (condition.kind === 'exists') return (value) => (value !== null) === condition.expected;
  const { text, number, boolean, key } = fieldTest(condition);
  return (value) => {
    if (value === null) return false;
    if (key !== null) return key(String(value));
    if (typeof value === 'string') return text?.text(value, 0, value.length) ?? false;
    return typeof value === 'number' ? number !== null && passes(number, value) : boolean === value;
  };
}

function equalTo(wanted: string): TextTest['text'] {
  const { length } = wanted;
  if (length === 0) return (_text, start, end) => start === end;
  const last = wanted.charCodeAt(length - 1);
  return (text, start, end) => end - start === length && text.charCodeAt(end - 1) === last && text.startsWith(wanted, start);
}

/** A condition on a number as an interval: true inside of [low, high], or outside of it when `outside` is set. */
export interface NumberTest {
  readonly low: number;
  readonly high: number;
  readonly outside: boolean;
}

export function numberTest({ relation, value }: NumberCondition): NumberTest {
  switch (relation) {
    case '==':
      return { low: value, high: value, outside: false };
    case '!=':
      return { low: value, high: value, outside: true };
    case '>=':
      return { low: value, high: Infinity, outside: false };
    case '>':
      return { low: nextUp(value), high: Infinity, outside: false };
    case '<=':
      return { low: -Infinity, high: value, outside: false };
    case '<':
      return { low: -Infinity, high: -nextUp(-value), outside: false };
  }
}

export function passes(test: NumberTest, value: number): boolean {
  return (value >= test.low && value <= test.high) !== test.outside;
}

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** The least double above a finite one. */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  float[0] = value;
  bits[0] = (bits[0] as bigint) + (value > 0 ? 1n : -1n);
  return float[0];
}

/** A condition on a field, by what the field's value is. null: false for every value of that kind. */
export interface FieldTest {
  readonly text: TextTest | null;
  readonly number: NumberTest | null;
  readonly boolean: boolean | null;
  /** On the value of any kind, written as a text; null: the others count. */
  readonly key: ((text: string) => boolean) | null;
}

/** The tests of any condition but an existence test, which does not look at values. */
export function fieldTest(condition: Exclude<Condition, { kind: 'exists' }>): FieldTest {
  const none: FieldTest = { text: null, number: null, boolean: null, key: null };
  switch (condition.kind) {
    case 'text':
    case 'pattern':
    case 'networks':
      return { ...none, text: textTest(condition) };
    case 'lookup': {
      const key = keyTest(condition);
      return { ...none, text: keyTextTest(key), key };
    }
    case 'number':
      return { ...none, number: numberTest(condition) };
    case 'boolean':
      return { ...none, boolean: condition.value };
  }
}
