import { expect, it } from 'vitest';
import { ValueType } from '../../../../engine/message/types.ts';
import { SIDE_BLOCKS } from '../../../../engine/store/difference/block-counts.ts';
import { CauseCounts } from '../../../../engine/store/difference/causes.ts';
import { contrast } from '../../../../engine/store/difference/chance.ts';
import { FieldCodes } from '../../../../engine/store/difference/field-codes.ts';

it('names the value that most of the records of a row have, and few others', () => {
  const totals = { blocks: new Uint32Array(2 * SIDE_BLOCKS), a: 100, b: 100, seconds: null };
  const status = new FieldCodes('status', false, ValueType.STRING);
  const candidate = {
    ...contrast(0, 20, totals),
    kind: 'value' as const,
    field: status,
    set: { codes: [0], pattern: null },
    bucket: 0,
    numbers: null,
    isBelow: false,
    among: null,
    chance: 0,
  };
  const causes = new CauseCounts([{ at: 0, candidate, same: [], also: [] }]);
  const host = new FieldCodes('host', false, ValueType.STRING);
  for (const name of ['a', 'b']) host.codeOfText(name);
  // Of the hundred records of B, the first twenty are of the row; these and ten others are of the host a.
  const codes = Uint16Array.from({ length: 100 }, (_, i) => (i < 30 ? 0 : 1));
  host.counts.add(codes, 100, null, new Uint8Array(100).fill(SIDE_BLOCKS), 2);
  causes.add(
    host,
    codes,
    100,
    null,
    Uint16Array.from({ length: 100 }, (_, i) => (i < 20 ? 1 : 0)),
  );
  expect(causes.of(0, [100, 100], () => false)).toEqual([{ text: 'host a', filter: "Fields[host] == 'a'", share: 1, others: 0.125 }]);
  expect(causes.of(0, [100, 100], (field) => field === host)).toEqual([]);
});
