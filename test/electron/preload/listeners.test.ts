import { afterEach, expect, it, vi } from 'vitest';
import { Listeners } from '../../../electron/preload/listeners.ts';

afterEach(() => vi.unstubAllGlobals());

it('an event reaches all its listeners though one throws, and the error is reported', () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const listeners = new Listeners();
  const heard: unknown[] = [];
  const error = new Error('mine');
  listeners.add('news', () => {
    throw error;
  });
  const remove = listeners.add('news', (data) => heard.push(data));
  listeners.add('other', () => heard.push('never'));
  listeners.call('news', 1);
  expect(heard).toEqual([1]);
  expect(reported.mock.calls).toEqual([[error]]);
  remove();
  listeners.call('news', 2);
  listeners.call('unknown', 3);
  expect(heard).toEqual([1]);
});
