import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Field } from '../../../engine/message/types.ts';
import { knownValues, numberRanges } from '../../../engine/store/number-ranges.ts';
import { summarise } from '../../../engine/store/summary.ts';

const numbers = (name: string, ...values: number[]): Field => ({ name, valueType: 3, values });
const rangesOf = (...messages: Field[][]): ReturnType<typeof numberRanges> =>
  numberRanges(batchOf(messages.map((fields) => ({ uuid: new Uint8Array(16), timestamp: 0n, fields }))));

describe('numbers of a segment', () => {
  it('are few, or lie between two', () => {
    const ranges = rangesOf(
      ...Array.from({ length: 40 }, (_, i) => [numbers('status', [200, 404][i % 2] as number), numbers('size', i / 2)]),
    );
    expect(ranges.get('status')).toEqual({ low: 200, high: 404, few: [200, 404] });
    expect(ranges.get('size')).toEqual({ low: 0, high: 19.5, few: null });
  });

  it.each<{ title: string; messages: Field[][] }>([
    { title: 'there are lists', messages: [[numbers('n', 1, 2)]] },
    { title: 'one is NaN', messages: [[numbers('n', 1)], [numbers('n', NaN)]] },
    { title: 'some are texts', messages: [[numbers('n', 1)], [{ name: 'n', valueType: 0, values: ['2'] }]] },
    { title: 'a record has two', messages: [[numbers('n', 1), numbers('n', 2)]] },
    { title: 'they are no doubles', messages: [[{ name: 'n', valueType: 2, values: [1n] }]] },
  ])('are not known where $title', ({ messages }) => {
    expect(rangesOf(...messages).has('n')).toBe(false);
  });

  it('have those of the severities, unless a record has none', () => {
    const severitiesOf = (...values: number[]): unknown => {
      const summary = summarise(new Float64Array(values.length), { rows: null, values: Int32Array.from(values) }, null);
      return knownValues({ summary, numbers: new Map() }).header('Severity');
    };
    expect(severitiesOf(3, 6, 3)).toEqual({ low: 3, high: 6, few: [3, 6] });
    expect(severitiesOf(3, 9)).toBeUndefined();
  });
});
