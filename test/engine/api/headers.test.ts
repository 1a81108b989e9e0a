import { describe, expect, it } from 'vitest';
import { ALL_HEADERS, COLUMN_ORDER, headerNamed, OPTIONAL_HEADERS } from '../../../engine/api/headers.ts';
import { headerValues, messageOf } from '../../../engine/message/types.ts';

const unique = (values: readonly unknown[]): number => new Set(values).size;

describe('the table of headers', () => {
  it('has one row for each name, member, tag, option and place', () => {
    for (const key of ['name', 'member', 'tag', 'option'] as const)
      expect(unique(ALL_HEADERS.map((header) => header[key]))).toBe(ALL_HEADERS.length);
    for (const form of [0, 1]) expect(unique(ALL_HEADERS.map(({ places }) => places[form]))).toBe(ALL_HEADERS.length);
    expect(ALL_HEADERS.map(({ tag }) => tag)).toEqual(ALL_HEADERS.map(({ tag }) => tag).sort((a, b) => a - b));
    expect(ALL_HEADERS.map(({ name }) => headerNamed(name))).toEqual(ALL_HEADERS);
    expect(headerNamed('Fields')).toBeUndefined();
  });

  it('gives columns in the order of batches in files', () => {
    expect(COLUMN_ORDER.map(({ member }) => member)).toEqual(['type', 'logger', 'payload', 'envVersion', 'hostname', 'severity', 'pid']);
  });

  it('has the order of the values of a message', () => {
    const values = OPTIONAL_HEADERS.map(({ kind, member }, i) => (kind === 'text' ? member : i));
    const message = messageOf(new Uint8Array(16), 5n, values, []);
    expect(OPTIONAL_HEADERS.map(({ member }) => message[member])).toEqual(values);
    expect(headerValues(message)).toEqual(values);
  });
});
