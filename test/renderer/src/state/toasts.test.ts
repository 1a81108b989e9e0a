import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from '../../../../renderer/src/state/toasts.svelte.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const UNDO = { label: 'Undo', run: () => undefined };
const textsOf = ({ list }: Toasts): string[] => list.map(({ text }) => text);

test('of more than three the oldest gives way, one with an action after the others', () => {
  const toasts = new Toasts();
  toasts.show('info', 'changed', UNDO);
  for (const text of ['one', 'two', 'three']) toasts.show('warning', text);
  expect(textsOf(toasts)).toEqual(['changed', 'two', 'three']);
  toasts.show('info', 'changed again', UNDO);
  toasts.show('info', 'changed once more', UNDO);
  expect(textsOf(toasts)).toEqual(['changed', 'changed again', 'changed once more']);
  toasts.show('info', 'four');
  expect(textsOf(toasts)).toEqual(['changed again', 'changed once more', 'four']);
});

test('none goes away while a dialog lies over them', () => {
  let isShaded = true;
  const toasts = new Toasts(() => isShaded);
  toasts.show('error', 'one');
  vi.advanceTimersByTime(100_000);
  expect(textsOf(toasts)).toEqual(['one']);
  isShaded = false;
  vi.runAllTimers();
  expect(textsOf(toasts)).toEqual([]);
});

test('one without an action goes away, unless someone is at them', () => {
  const toasts = new Toasts();
  toasts.show('info', 'changed', UNDO);
  toasts.show('info', 'one');
  toasts.hold(true);
  vi.runAllTimers();
  expect(textsOf(toasts)).toEqual(['changed', 'one']);
  toasts.hold(false);
  vi.runAllTimers();
  expect(textsOf(toasts)).toEqual(['changed']);
});
