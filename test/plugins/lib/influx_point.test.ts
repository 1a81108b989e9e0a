import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePoint } from '../../../plugins/lib/influx_point.ts';

/** The fields by name, and the time. */
function read(line: string): unknown {
  const point = parsePoint(line);
  if (typeof point === 'string') return point;
  return { ...Object.fromEntries(point.fields.map(({ name, value }) => [name, value])), time: point.time };
}

describe('parsePoint', () => {
  it.each<[line: string, point: unknown]>([
    ['cpu v=1', { measurement: 'cpu', v: 1, time: null }],
    ['cpu,host=a,zone=b v=1.5,n=2i 1614949679', { measurement: 'cpu', host: 'a', zone: 'b', v: 1.5, n: 2, time: 1614949679n }],
    ['cpu   v=-1e3   -5  ', { measurement: 'cpu', v: -1000, time: -5n }],
    ['my\\ cpu,a\\,b=c\\=d e\\ f=1', { measurement: 'my cpu', 'a,b': 'c=d', 'e f': 1, time: null }],
    ['m s="a \\"b\\", c=1",t="\\\\"', { measurement: 'm', s: 'a "b", c=1', t: '\\', time: null }],
    ['m s=""', { measurement: 'm', s: '', time: null }],
    ['m a=t,b=False,c=TRUE', { measurement: 'm', a: true, b: false, c: true, time: null }],
    ['m a=9007199254740993i', { measurement: 'm', a: 9007199254740993n, time: null }],
    ['m a=18446744073709551615u', { measurement: 'm', a: '18446744073709551615', time: null }],
    ['m a=.5,b=5.,c=+1', { measurement: 'm', a: 0.5, b: 5, c: 1, time: null }],
    ['', 'no measurement'],
    [',a=b v=1', 'no measurement'],
    ['cpu', 'no fields of cpu'],
    ['cpu ', 'no fields of cpu'],
    ['cpu v', 'no value behind cpu\'s field "v"'],
    ['cpu,host v=1', 'no value behind cpu\'s tag "host"'],
    ['cpu =1', 'no fields of cpu'],
    ['cpu v=x', 'no value of any type: x'],
    ['cpu v=1e999', 'no value of any type: 1e999'],
    ['cpu v=9223372036854775808i', 'no value of any type: 9223372036854775808i'],
    ['cpu v=-1u', 'no value of any type: -1u'],
    ['cpu v="open', 'a text that does not end'],
    ['cpu v="a"b', 'text behind a closing quote'],
    ['cpu v=1 soon', 'no timestamp: soon'],
  ])('%s', (line, point) => expect(read(line)).toEqual(point));

  it('reads numbers as they are written', () => {
    const number = fc.double({ noDefaultInfinity: true, noNaN: true });
    fc.assert(
      fc.property(number, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (double, integer) => {
        const point = parsePoint(`m d=${double},i=${integer}i ${integer}`);
        if (typeof point === 'string') throw new Error(point);
        expect(point.fields[1]?.value).toBe(Object.is(double, -0) ? 0 : double);
        expect(BigInt(point.fields[2]?.value as bigint)).toBe(integer);
        expect(point.time).toBe(integer);
      }),
    );
  });
});
