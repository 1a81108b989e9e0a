import type { End } from '../../engine/api/ends.ts';
/** Three days of messages, once as they come with the wall clock, and read later with the clock of the messages: each filter says the same. */
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { MessageBatch } from '../../engine/message/batch/batch.ts';
import type { ClockKind, Message } from '../../engine/message/types.ts';
import { FilterRunner } from '../../engine/pipeline/filter-runner.ts';
import { hand } from '../engine/pipeline/fakes.ts';
import { batchOf } from '../engine/sandbox/harness.ts';
import { PluginBench } from './support/plugin-bench.ts';
import { FILTERS, messagesOf, SECOND, START, type PluginCase } from './support/cases.ts';

const bench = new PluginBench();
afterAll(() => bench.close());
afterEach(() => vi.useRealTimers());

const DAYS = 3;
/** Seconds between two messages, and between two ticks. */
const PACE = 720;
const TICKER = 3600;
const MESSAGES = (DAYS * 86_400) / PACE;

function stream(entry: PluginCase): Message[] {
  return messagesOf(entry, 0, MESSAGES).map((message, i) => ({ ...message, timestamp: (START + BigInt(i * PACE)) * SECOND }));
}

function* batches(messages: readonly Message[], size: number): Generator<MessageBatch> {
  for (let from = 0; from < messages.length; from += size) yield batchOf(messages.slice(from, from + size));
}

/** All messages but those of filters. */
function selectInputs(batch: MessageBatch): Uint32Array | null {
  return batch.message(0).type?.startsWith('svc.sandbox') === true ? new Uint32Array(0) : null;
}

/** All payloads and fields that the filter injects. */
async function run(entry: PluginCase, clock: ClockKind, size: number): Promise<unknown[]> {
  const { plugin, config } = entry;
  const sandbox = await bench.startPlugin('filter', plugin, { config });
  const injected: unknown[] = [];
  const inject = (batch: MessageBatch): Promise<void> => {
    for (let row = 0; row < batch.length; row++)
      injected.push([batch.message(row).payload, batch.message(row).fields.map(({ values }) => values)]);
    return Promise.resolve();
  };
  if (clock === 'wall') vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Number(START) * 1000 });
  const reasons: string[] = [];
  const runner = new FilterRunner({
    ...{ name: plugin, sandbox, clock, router: { inject, pending: 0 }, matcher: { select: selectInputs } },
    ...{
      tickerInterval: entry.tickless === true ? 0 : TICKER,
      maxMessageLoops: 4,
      onTerminated: ({ reason }: End) => reasons.push(reason),
    },
  });
  for (const batch of batches(stream(entry), size)) {
    if (clock === 'wall' && batch.timestamps[0] !== START * SECOND) vi.advanceTimersByTime(PACE * 1000);
    await hand(runner, batch);
  }
  await runner.stop();
  expect(reasons).toEqual([]);
  return injected;
}

test.each(FILTERS)('$plugin', async (entry) => {
  const live = await run(entry, 'wall', 1);
  vi.useRealTimers();
  expect(live.length).toBeGreaterThan(entry.plugin === 'process_message_failures' ? 0 : 60);
  for (const size of [1000, 37]) expect(await run(entry, 'message', size)).toEqual(live);
});
