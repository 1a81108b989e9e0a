import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { Router } from '../../../engine/pipeline/router.ts';
import { selectionFor, Subscription, type Routed } from '../../../engine/pipeline/selection.ts';
import type { Selection } from '../../../engine/pipeline/selection.ts';
import { message } from './fakes.ts';

const batch = batchOf(['a', 'b', 'a'].map((payload) => message(payload)));
const routed: Routed = { batch, loop: 2, signer: 'ops', injected: true };
const matcher = compileMatcher("Payload == 'a'");
const other = compileMatcher("Payload == 'z'");

describe('A selection', () => {
  it('has the rows of a batch that are wanted, and how they came', () => {
    expect(new Subscription({ matcher }).select(routed)).toEqual({ ...routed, rows: Uint32Array.of(0, 2) });
    expect(new Subscription({ matcher: compileMatcher('TRUE') }).select(routed)).toEqual({ ...routed, rows: null });
  });

  it('is made of no batch in which nothing is wanted, but for a clock', () => {
    expect(new Subscription({ matcher: other }).select(routed)).toBeNull();
    expect(new Subscription({ matcher: other, everyBatch: () => true }).select(routed)).toEqual({ ...routed, rows: new Uint32Array(0) });
  });

  it('is made only of what the wanted signer has signed', () => {
    const subscription = new Subscription({ matcher, signer: 'ops' });
    expect(subscription.select(routed)?.rows).toEqual(Uint32Array.of(0, 2));
    expect(subscription.select({ ...routed, signer: '' })).toBeNull();
    const clock = new Subscription({ matcher, signer: 'ops', everyBatch: () => true });
    expect(clock.select({ ...routed, signer: 'eve' })?.rows).toEqual(new Uint32Array(0));
  });

  it('is everything for a consumer without a subscription', () => {
    expect(selectionFor({}, routed)).toEqual({ ...routed, rows: null });
  });

  it('tells what matching takes for a message, of those that were matched', () => {
    const subscription = new Subscription({ matcher, signer: 'ops' });
    subscription.select({ ...routed, signer: '' });
    expect(subscription.averageNs).toBe(0);
    subscription.select(routed);
    expect(subscription.averageNs).toBeGreaterThan(0);
  });
});

it('The router hands consumers what they want, and does not call those that want nothing', async () => {
  const router = new Router();
  const taken: Record<string, Selection[]> = {};
  const add = (name: string, subscription?: Subscription): void => {
    const got: Selection[] = (taken[name] = []);
    const submit = (selection: Selection): Promise<void> => Promise.resolve(void got.push(selection));
    router.addFilter({ name, pending: 0, ...(subscription ? { subscription } : {}), submit, stop: () => Promise.resolve() });
  };
  add('some', new Subscription({ matcher }));
  add('none', new Subscription({ matcher: other }));
  add('all');
  await (
    await router.accept(batch, 'ops')
  ).delivered;
  await router.inject(batch, 1);
  const input = { batch, loop: 0, signer: 'ops', injected: false, clock: 'wall', isPatient: false };
  const injected = { batch, loop: 1, signer: '', injected: true, isPatient: false };
  expect(taken).toEqual({
    some: [input, injected].map((from) => ({ ...from, rows: Uint32Array.of(0, 2) })),
    none: [],
    all: [input, injected].map((from) => ({ ...from, rows: null })),
  });
});
