import { describe, expect, test } from 'vitest';
import type { Value } from './message.ts';
import { decoder, type Decoded } from './decode.ts';

/** The time of the records in these tables: 2021-03-05T13:07:59.250Z. */
export const AT = { Timestamp: '1614949679250000000' };

/** The same without its fraction. */
export const WHOLE = { Timestamp: '1614949679000000000' };

/** Tests that a decoder, set up as `config` says, makes of each record what stands beside it. */
export function reads(
  name: string,
  config: Record<string, Value>,
  rows: readonly (readonly [record: string, expected: Decoded | string])[],
): void {
  describe(`${name} ${Object.values(config).join(' ')}`, () => {
    const decode = decoder(name, config);
    test.each(rows)('%j', (record, expected) => {
      expect(decode(record)).toEqual(expected);
    });
  });
}
