import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TrialReply, TrialRequest } from '../../../../../../engine/api/types.ts';
import type { Client } from '../../../../../../renderer/src/lib/api.ts';
import { Trial } from '../../../../../../renderer/src/views/scripts/script/trial.svelte.ts';

const REQUEST: TrialRequest = {
  kind: 'filter',
  text: 'function process_message() { return 0; }',
  path: null,
  typed: false,
  source: 1,
  matcher: 'TRUE',
  config: {},
  limits: { memory: 1, instructions: 1, output: 1 },
  records: 200,
};

/** A client that keeps what it is asked. */
function clientOf(asked: TrialRequest[]): Client {
  const request = (_: string, body: TrialRequest): Promise<TrialReply> => {
    asked.push(body);
    return Promise.resolve({ parameters: [], problems: [] } as unknown as TrialReply);
  };
  return { request } as unknown as Client;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each<[string, Partial<TrialRequest>, number, number]>([
  ['the same in other objects is not tried again', { config: {} }, 50, 1],
  ['another text is', { text: '' }, 50, 2],
  ['another setting is', { config: { rows: 3 } }, 50, 2],
  ['the same with more records to try it on is', {}, 200, 2],
])('%s', async (_, change, available, times) => {
  const asked: TrialRequest[] = [];
  const trial = new Trial(clientOf(asked));
  trial.want(REQUEST, 50);
  await vi.runAllTimersAsync();
  trial.want({ ...structuredClone(REQUEST), ...change }, available);
  await vi.runAllTimersAsync();
  expect(asked).toHaveLength(times);
});

test('what was wanted last is tried, once', async () => {
  const asked: TrialRequest[] = [];
  const trial = new Trial(clientOf(asked));
  for (const text of ['a', 'b', 'a']) trial.want({ ...REQUEST, text }, 50);
  await vi.runAllTimersAsync();
  expect(asked.map(({ text }) => text)).toEqual(['a']);
});
