import { expect, it } from 'vitest';
import { HeldInput } from '../../../engine/inputs/held-input.ts';
import type { Input, InputBatch, InputSink } from '../../../engine/inputs/types.ts';

/** An input that delivers when it is told to, and what was taken of it. */
async function held(): Promise<{ input: HeldInput; deliver: () => Promise<void>; taken: () => number }> {
  let sink: InputSink | null = null;
  let taken = 0;
  const inner = {
    name: 'a',
    start: (to: InputSink) => Promise.resolve(void (sink = to)),
    stop: () => Promise.resolve(),
  } as unknown as Input;
  const input = new HeldInput(inner);
  await input.start({ deliver: () => Promise.resolve(void taken++), notice: () => undefined, idle: () => undefined });
  return { input, deliver: async () => sink?.deliver({} as InputBatch), taken: () => taken };
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

it('what is read next waits until it is released', async () => {
  const { input, deliver, taken } = await held();
  await deliver();
  input.hold();
  const next = deliver();
  await turn();
  expect(taken()).toBe(1);
  input.release();
  await next;
  expect(taken()).toBe(2);
});

it('what is read next waits for all work that has to be quick, also for some that fails, and for its release', async () => {
  const { input, deliver, taken } = await held();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const works = [input.during(() => first.promise), input.during(() => second.promise)];
  input.hold();
  const next = deliver();
  first.resolve('done');
  second.reject(new Error('failed'));
  await expect(works[0]).resolves.toBe('done');
  await expect(works[1]).rejects.toThrow('failed');
  await turn();
  expect(taken()).toBe(0);
  input.release();
  await next;
  expect(taken()).toBe(1);
});
