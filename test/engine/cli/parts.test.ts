import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FailureReport } from '../../../engine/cli/failures.ts';
import { FilterSteps } from '../../../engine/cli/filter-steps.ts';
import { mapInOrder } from '../../../engine/cli/in-order.ts';
import { parseJsonLine } from '../../../engine/cli/json-lines.ts';
import type { InputChunk, Mark } from '../../../engine/cli/message-source.ts';
import { batchOf } from '../../../engine/message/builder.ts';
import { message } from '../pipeline/fakes.ts';

async function* source<T>(items: readonly T[], onEnd: () => void = () => undefined): AsyncGenerator<T> {
  try {
    for (const item of items) {
      await delay(0);
      yield item;
    }
  } finally {
    onEnd();
  }
}

describe('mapInOrder', () => {
  it('keeps the order and never does more at a time than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (waits, limit) => {
        let underWay = 0;
        let most = 0;
        const results: number[] = [];
        const work = async (i: number): Promise<number> => {
          most = Math.max(most, ++underWay);
          await delay(waits[i]);
          underWay--;
          return i;
        };
        for await (const result of mapInOrder(source(waits.map((_, i) => i)), work, limit)) results.push(result);
        expect(results).toEqual(waits.map((_, i) => i));
        expect(most).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 30 },
    );
  });

  it('yields a result while the next item has yet to come', async () => {
    const never = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<number> {
      yield 1;
      await never.promise;
    }
    for await (const result of mapInOrder(slow(), (item) => Promise.resolve(item), 4)) {
      expect(result).toBe(1);
      never.resolve();
    }
  });

  it('hands on failures of the work and of the source, and ends the source when it is left', async () => {
    let ended = 0;
    const run = async (work: (item: number) => Promise<number>): Promise<number[]> => {
      const results: number[] = [];
      for await (const result of mapInOrder(
        source([1, 2, 3], () => ended++),
        work,
        2,
      )) {
        results.push(result);
        if (result === 20) break;
      }
      return results;
    };
    await expect(run((item) => (item === 2 ? Promise.reject(new Error('two')) : Promise.resolve(item)))).rejects.toThrow('two');
    expect(await run((item) => Promise.resolve(item * 10))).toEqual([10, 20]);
    expect(ended).toBe(2);
  });
});

describe('FilterSteps', () => {
  const chunk = (seconds: readonly number[], marks: readonly Mark[] = []): InputChunk => ({
    source: 'x',
    batch: batchOf(seconds.map((second) => message('', second))),
    lineOf: (row) => row + 1,
    marks,
  });
  const shown = (steps: FilterSteps, ...chunks: InputChunk[]): string[] =>
    chunks.flatMap((part) =>
      [...steps.of(part)].map((step) =>
        step.kind === 'rows' ? `${step.from}-${step.to}` : step.kind === 'broken' ? 'broken' : `${step.kind} ${step.ns / 1_000_000_000n}`,
      ),
    );
  const timer = (row: number, second: number): Mark => ({ row, line: 0, kind: 'timer', ns: BigInt(second) * 1_000_000_000n });

  it('puts the clock’s ticks between the messages', () => {
    const steps = new FilterSteps(60);
    expect(shown(steps, chunk([100, 130, 161, 300]), chunk([301]))).toEqual([
      '0-2',
      'tick 160',
      '2-3',
      'tick 220',
      'tick 280',
      '3-4',
      '0-1',
    ]);
    expect(steps.end).toBe(301_000_000_000n);
  });

  it('makes no ticks from the first timer of the input on', () => {
    const steps = new FilterSteps(60);
    expect(shown(steps, chunk([100, 161, 300], [timer(2, 200)]), chunk([900]))).toEqual([
      '0-1',
      'tick 160',
      '1-2',
      'timer 200',
      '2-3',
      '0-1',
    ]);
    expect(steps.end).toBeNull();
  });

  it('keeps the place of broken inputs and of timers at the end', () => {
    const marks: Mark[] = [{ row: 0, line: 1, kind: 'broken', reason: '' }, timer(1, 5), timer(1, 6)];
    expect(shown(new FilterSteps(0), chunk([1], marks), chunk([]))).toEqual(['broken', '0-1', 'timer 5', 'timer 6']);
    expect(new FilterSteps(0).end).toBeNull();
  });
});

describe('parseJsonLine', () => {
  it.each<[string, unknown]>([
    ['{"timer":"1614949679000000001"}', 1614949679000000001n],
    [' { "timer" : -5 } ', -5n],
    ['{"Payload":"x","Timestamp":"7"}', expect.objectContaining({ payload: 'x', timestamp: 7n })],
    ['{"timer":1614949679000000001}', 1614949679000000001n],
    ['{"timer":-9223372036854775808}', -(2n ** 63n)],
    ['{"timer":"9223372036854775807"}', 2n ** 63n - 1n],
    ['{"timer":1.5e18}', 1_500_000_000_000_000_000n],
    ['{"timer":"5","Payload":"x"}', 5n],
    ...['"soon"', '""', '"1.5"', '1.5', '1e300', '9223372036854775808', '-9999999999999999999', 'null', 'true', '[1]', '{}'].map(
      (time): [string, unknown] => [`{"timer":${time}}`, 'timer: a whole number of nanoseconds since 1970 is expected'],
    ),
    ['{"Payload":"{\\"timer\\":1}"}', expect.objectContaining({ payload: '{"timer":1}' })],
    ['nonsense', expect.stringContaining('JSON')],
    ['[1]', expect.any(String)],
  ])('%s', (line, expected) => expect(parseJsonLine(line)).toEqual(expected));
});

describe('FailureReport', () => {
  it('writes one line each', () => {
    const lines: string[] = [];
    const report = new FailureReport((text) => lines.push(text));
    report.add('a.log', 3, 'first\n  second');
    report.add('a.log', 4, '');
    expect(lines).toEqual(['a.log:3: first | second\n', 'a.log:4: refused without a reason\n']);
    expect(report.count).toBe(2);
  });
});
