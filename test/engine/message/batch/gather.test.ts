import { describe, expect, it } from 'vitest';
import { asFailed, withField } from '../../../../engine/message/batch/gather.ts';
import { listOf, payloads } from './gather-fixtures.ts';

describe('asFailed', () => {
  it('adds the two fields of an undecoded message behind its own', () => {
    const batch = withField(payloads('good', 'bad'), {
      name: 'n',
      representation: null,
      rows: null,
      offsets: null,
      valueType: 4,
      values: Uint8Array.of(1, 0),
    });
    expect(listOf(asFailed(batch, Uint32Array.of(1), ['no priority']))).toEqual([
      {
        ...batch.message(1),
        fields: [
          { name: 'n', valueType: 4, values: [false] },
          { name: 'decode_failure', representation: '', valueType: 4, values: [true] },
          { name: 'decode_error', representation: '', valueType: 0, values: ['no priority'] },
        ],
      },
    ]);
  });

  it.each([
    ['x'.repeat(600), 500],
    ['é'.repeat(600), 500],
    [`a${'é'.repeat(600)}`, 499],
    ['\u{1f600}'.repeat(200), 500],
    [`a${'\u{1f600}'.repeat(200)}`, 497],
    ['short', 5],
  ])('cuts the reason to 500 bytes between characters', (reason, bytes) => {
    const error = asFailed(payloads('a'), Uint32Array.of(0), [reason]).message(0).fields[1]?.values[0] as string;
    expect(reason.startsWith(error)).toBe(true);
    expect(Buffer.from(error).length).toBe(bytes);
    expect(error.isWellFormed()).toBe(true);
  });

  it('wants a reason for each row', () => {
    expect(() => asFailed(payloads('a'), Uint32Array.of(0), [])).toThrow(RangeError);
  });
});
