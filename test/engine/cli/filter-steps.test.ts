import { describe, expect, it } from 'vitest';
import { FilterSteps } from '../../../engine/cli/filter-steps.ts';
import type { InputChunk, Mark } from '../../../engine/cli/message-source.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { message } from '../pipeline/fakes.ts';

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
