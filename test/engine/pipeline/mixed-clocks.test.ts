/** Filters of a pipeline whose inputs are on different clocks: each has that of the messages that it is sent. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { ClockKind } from '../../../engine/message/types.ts';
import { Pipeline, type PipelineClock } from '../../../engine/pipeline/pipeline.ts';
import { FakeSandbox, message } from './fakes.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A filter with a tick each minute, or another number of seconds, that gets the messages whose payload this expression matches. */
function setUp(expression: string, clock: PipelineClock = 'mixed', tickerInterval = 60) {
  const pipeline = new Pipeline({ clock });
  const sandbox = new FakeSandbox('f', {});
  const clocks: ClockKind[] = [];
  const told = Object.assign(sandbox, { useClock: (changed: ClockKind) => void clocks.push(changed) });
  pipeline.addFilter({ name: 'f', sandbox: told, matcher: compileMatcher(`Payload =~ /${expression}/`), tickerInterval });
  const send = async (from: ClockKind, ...messages: (readonly [string, number])[]): Promise<void> => {
    const batch = batchOf(messages.map(([payload, second]) => message(payload, second)));
    await (
      await pipeline.router.accept(batch, '', from)
    ).delivered;
  };
  /** The calls, with the times of ticks in seconds; those of the wall clock as `tick`. */
  const calls = (): string[] =>
    sandbox.calls.map((call) => {
      const seconds = /^timer (\d+)$/.exec(call)?.[1];
      if (seconds === undefined) return call;
      return BigInt(seconds) > 1_000_000_000_000_000_000n ? 'tick' : `tick ${BigInt(seconds) / 1_000_000_000n}`;
    });
  const minutes = async (count: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(count * 60_000));
  return { pipeline, send, calls, minutes, clocks };
}

it('has the wall clock while it is sent nothing of an input on the other one', async () => {
  const { send, calls, minutes, clocks } = setUp('^live');
  await minutes(1);
  await send('message', ['old 1', 100], ['old 2', 300]);
  await send('wall', ['live 1', 500], ['live 2', 900]);
  await minutes(2);
  expect(calls()).toEqual(['tick', 'live 1', 'live 2', 'tick', 'tick']);
  expect(clocks).toEqual([]);
});

it('has the clock of the messages from the first such message on, whatever other inputs say', async () => {
  const { send, calls, minutes, clocks } = setUp('^old');
  await send('wall', ['live 1', 10_000]);
  await send('message', ['old 1', 100], ['other', 170], ['old 2', 200]);
  await send('wall', ['live 2', 20_000]);
  // Messages of such inputs move the clock whether or not the filter is sent them.
  await send('message', ['other', 290]);
  await minutes(5);
  expect(calls()).toEqual(['old 1', 'tick 160', 'old 2', 'tick 220', 'tick 280']);
  expect(clocks).toEqual(['message']);
});

it('has the highest time of all messages that it is sent when they are of both kinds', async () => {
  const { send, calls, minutes } = setUp('^(old|live)');
  await minutes(1);
  await send('message', ['old 1', 100], ['old 2', 170]);
  await send('wall', ['other', 9000], ['live 1', 230], ['other', 9000], ['live 2', 290], ['live 3', 295]);
  await send('message', ['old 3', 200]);
  await minutes(5);
  expect(calls()).toEqual(['tick', 'old 1', 'tick 160', 'old 2', 'tick 220', 'live 1', 'tick 280', 'live 2', 'live 3', 'old 3']);
});

it('ticks once more when its inputs are idle, on the clock of the messages alone', async () => {
  const live = setUp('^live');
  await live.send('wall', ['live 1', 500]);
  expect(await live.pipeline.router.idle()).toBe(false);
  const old = setUp('^old');
  await old.send('message', ['old 1', 100]);
  expect(await old.pipeline.router.idle()).toBe(true);
  expect(old.calls()).toEqual(['old 1', 'tick 100']);
});

it.each(['message', 'wall'] as const)('does not change where all inputs are on the %s clock', async (clock) => {
  const { send, calls, minutes, clocks } = setUp('^a', clock);
  await send(clock, ['a', 100], ['b', 160]);
  await minutes(1);
  expect(calls()).toEqual(clock === 'message' ? ['a', 'tick 160'] : ['a', 'tick']);
  expect(clocks).toEqual([]);
});

it('has ticks on the wall clock that are farther apart than a timer can wait', async () => {
  const day = 24 * 60;
  const { calls, minutes } = setUp('^live', 'wall', 30 * day * 60);
  await minutes(29 * day);
  expect(calls()).toEqual([]);
  await minutes(32 * day);
  expect(calls()).toEqual(['tick', 'tick']);
});
