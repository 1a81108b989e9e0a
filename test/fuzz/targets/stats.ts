import { Accumulator } from '../../../engine/inputs/stats/accumulator.ts';
import { emittedValues, fieldsOf, payloadOf } from '../../../engine/inputs/statsd/emission.ts';
import { parseStats, type Stat } from '../../../engine/inputs/stats/parse.ts';
import type { Target } from '../campaign.ts';

const PREFIXES = { global: 'stats', counter: 'counters', timer: 'timers', gauge: 'gauges', statsd: 'statsd' };

/** The grammar of a line as one expression. */
const LINE = /^(?<bucket>[^:]*):(?=..)(?<value>[^|]*)\|(?:(?<alone>g|h|m|c|ms)|(?<open>ms|c|g)(?<rest>.*))$/s;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function wanted(line: string): Stat['kind'] | 'bad' {
  const { alone, open = alone, rest = '' } = LINE.exec(line)?.groups ?? {};
  if (open === undefined) return 'bad';
  const rate = /^\|@(.+)$/s.exec(rest)?.[1];
  const isRate = rate === undefined || (DECIMAL.test(rate) && Number.isFinite(Number(rate)) && Math.fround(Number(rate)) !== 0);
  if (!isRate) return 'bad';
  return open === 'ms' ? 'timer' : open === 'g' ? 'gauge' : 'counter';
}

export const stats: Target = {
  name: 'stats',
  seeds: [
    ...['hits:1|c', 'hits:1|c|@0.1', 'rt:320|ms|@0.5', 'temp:+21.5|g', 'x:5|h\nx:5|m', 'x:abc|count', ':|c', ' a:1e3|c \n\n\tb:2|g'],
    ...['x:1|s', 'x:1', 'x1|c', 'x:1|', 'x:1|c|@z', 'x:1|h|@0.1', 'a:b:1|c|#t:u', 'x:1|c|@1e-40', 'x:-1e30|c'],
  ].map((text) => Buffer.from(text)),
  run(bytes) {
    const text = Buffer.from(bytes).toString();
    const { stats: found, bad } = parseStats(text);
    const lines = text
      .split('\n')
      .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ''))
      .filter((line) => line !== '');
    const kinds = lines.map(wanted).filter((kind) => kind !== 'bad');
    if (kinds.join() !== found.map(({ kind }) => kind).join())
      throw new Error(`${found.map(({ kind }) => kind).join()} instead of ${kinds.join()}`);
    if (bad.length + found.length !== lines.length) throw new Error('a line is lost');
    const accumulator = new Accumulator();
    for (const stat of found) accumulator.add(stat);
    const values = emittedValues(accumulator.take(false), { seconds: 10, thresholds: [90], legacy: false, prefixes: PREFIXES });
    const payload = payloadOf(values, 1n);
    if (payload.split('\n').length !== values.length + 1) throw new Error('a value is not one line');
    if (!/^(?:.*? (?:-?\d+|-?\d+\.\d{6}) 1\n)+$/su.test(payload)) throw new Error(`a value in an odd form: ${payload}`);
    if (fieldsOf(values, 1n).length !== values.length + 1) throw new Error('a field is lost');
    return `${[...new Set(kinds)].sort().join()} ${Math.min(bad.length, 2)}`;
  },
};
