import { describe, expect, it } from 'vitest';
import { placeOf, type Group, type Place } from '../../../engine/otlp/field-names.ts';
import { ValueType, type Field } from '../../../engine/message/types.ts';

const text = (name: string, value = 'x'): Field => ({ name, valueType: ValueType.STRING, values: [value] });
const count = (name: string, value = 1n): Field => ({ name, valueType: ValueType.INTEGER, values: [value] });
const ID = '0123456789abcdef';

describe('a field', () => {
  it.each<[field: Field, group: Group, key: string, isAttribute: boolean]>([
    [text('user'), 'record', 'user', true],
    [text('severity_text'), 'record', 'severity_text', false],
    [text('severity_text', ''), 'record', 'severity_text', true],
    [count('severity_number', 9n), 'record', 'severity_number', false],
    [count('severity_number', 0n), 'record', 'severity_number', true],
    [count('severity_number', 2n ** 40n), 'record', 'severity_number', true],
    [text('span_id', ID), 'record', 'span_id', false],
    [text('span_id', '0'.repeat(16)), 'record', 'span_id', true],
    [text('trace_id', ID), 'record', 'trace_id', true],
    [text('trace_id', ID + ID), 'record', 'trace_id', false],
    [count('trace_flags'), 'record', 'trace_flags', false],
    [count('body'), 'record', 'body', false],
    [text('body'), 'record', 'body', true],
    [text('event_name', 'otlp.log'), 'record', 'event_name', false],
    [text('resource.os'), 'resource', 'os', true],
    [text('resource.schema_url'), 'resource', 'schema_url', false],
    [text('scope.version'), 'scope', 'version', false],
    [text('scope.attributes.version'), 'scope', 'version', true],
    [text('attributes.severity_text'), 'record', 'severity_text', true],
    [text('attributes.user'), 'record', 'attributes.user', true],
    [text('attributes.resource.os'), 'record', 'resource.os', true],
    [text('toString'), 'record', 'toString', true],
  ])('$name stands for what it is', (field, group, key, isAttribute) => {
    expect(placeOf(field, false)).toEqual<Place>({ group, key, isAttribute });
  });

  it('is an attribute called body where the message has a Payload', () => {
    expect(placeOf(count('body'), true).isAttribute).toBe(true);
    expect(placeOf(count('attributes.body'), true)).toEqual<Place>({ group: 'record', key: 'attributes.body', isAttribute: true });
  });
});
