import { describe, expect, it } from 'vitest';
import { ByteSink, FieldSink, IntHeaderSink, TextHeaderSink, TextSink } from '../../../../engine/message/batch/sinks.ts';
import { ValueType } from '../../../../engine/message/types.ts';

describe('TextSink', () => {
  it('stores a value that follows itself once', () => {
    const sink = new TextSink();
    expect([sink.count, sink.uniform, sink.last]).toEqual([0, true, '']);
    for (const value of ['ab', 'ab', '', 'ab']) sink.add(value);
    expect([sink.length, sink.count, sink.uniform, sink.last]).toEqual([4, 4, false, 'ab']);
    expect(sink.finish()).toEqual({ text: 'abab', starts: Uint32Array.of(0, 0, 2, 2), ends: Uint32Array.of(2, 2, 2, 4) });
  });

  it('holds an empty text as a value', () => {
    const sink = new TextSink();
    sink.add('');
    sink.add('');
    expect([sink.count, sink.uniform]).toEqual([2, true]);
    sink.add('x');
    expect(sink.uniform).toBe(false);
  });
});

it('a ByteSink joins values', () => {
  const sink = new ByteSink();
  for (const value of [[1, 2], [], [3]]) sink.add(Uint8Array.from(value));
  expect([sink.length, sink.count]).toEqual([3, 3]);
  expect(sink.finish()).toEqual({ bytes: Uint8Array.of(1, 2, 3), starts: Uint32Array.of(0, 2, 2), ends: Uint32Array.of(2, 2, 3) });
});

describe('headers', () => {
  const texts = (rows: readonly [number, string][], length: number): unknown => {
    const sink = new TextHeaderSink();
    for (const [row, value] of rows) sink.add(row, value);
    return sink.finish(length);
  };
  const ints = (rows: readonly [number, number][], length: number): unknown => {
    const sink = new IntHeaderSink();
    for (const [row, value] of rows) sink.add(row, value);
    return sink.finish(length);
  };

  it('that no row has are none', () => expect([texts([], 2), ints([], 2)]).toEqual([null, null]));

  it('that all rows have alike are constant', () => {
    expect(
      texts(
        [
          [0, 'a'],
          [1, 'a'],
        ],
        2,
      ),
    ).toEqual({ constant: 'a' });
    expect(
      ints(
        [
          [0, 7],
          [1, 7],
        ],
        2,
      ),
    ).toEqual({ constant: 7 });
  });

  it('name the rows that have them', () => {
    expect(
      texts(
        [
          [0, 'a'],
          [2, 'b'],
        ],
        3,
      ),
    ).toEqual({
      rows: Uint32Array.of(0, 2),
      text: 'ab',
      starts: Uint32Array.of(0, 1),
      ends: Uint32Array.of(1, 2),
    });
    expect(texts([[0, 'a']], 2)).toMatchObject({ rows: Uint32Array.of(0) });
    expect(ints([[1, 3]], 2)).toEqual({ rows: Uint32Array.of(1), values: Int32Array.of(3) });
    expect(
      ints(
        [
          [0, 1],
          [1, 2],
        ],
        2,
      ),
    ).toEqual({ rows: null, values: Int32Array.of(1, 2) });
  });

  it('that are numbers have 32 bits', () => expect(ints([[0, 2 ** 32 + 5]], 1)).toEqual({ constant: 5 }));
});

describe('FieldSink', () => {
  it('has no offsets while each entry has one value', () => {
    const sink = new FieldSink(0, 'n', ValueType.INTEGER, 'ms');
    sink.integers.push(5n);
    sink.close(1);
    expect(sink.finish(2)).toEqual({
      name: 'n',
      representation: 'ms',
      valueType: ValueType.INTEGER,
      rows: Uint32Array.of(1),
      offsets: null,
      values: BigInt64Array.of(5n),
    });
  });

  it('has offsets from the first entry on that has another number', () => {
    const sink = new FieldSink(0, 't', ValueType.STRING, null);
    sink.text.add('a');
    sink.close(0);
    sink.close(1);
    sink.text.add('b');
    sink.text.add('c');
    sink.close(2);
    expect(sink.finish(3)).toMatchObject({ rows: null, offsets: Uint32Array.of(0, 1, 1, 3), values: { text: 'abc' } });
  });

  it('has values of its type', () => {
    const [bytes, double, bool] = [ValueType.BYTES, ValueType.DOUBLE, ValueType.BOOL].map(
      (type, i) => new FieldSink(i, 'x', type, null),
    ) as [FieldSink, FieldSink, FieldSink];
    bytes.bytes.add(Uint8Array.of(1));
    double.numbers.push(1.5);
    bool.numbers.push(1);
    const finished = [bytes, double, bool].map((sink) => {
      sink.close(0);
      return sink.finish(1);
    });
    expect(finished.map(({ values }) => values)).toEqual([
      { bytes: Uint8Array.of(1), starts: Uint32Array.of(0), ends: Uint32Array.of(1) },
      Float64Array.of(1.5),
      Uint8Array.of(1),
    ]);
  });
});
