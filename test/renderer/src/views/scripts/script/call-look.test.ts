import { EditorState } from '@codemirror/state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallLook } from '../../../../../../renderer/src/views/scripts/script/call-look.ts';
import type { CallHelp } from '../../../../../../renderer/src/views/scripts/script/types/service.ts';
import type { TypeClient } from '../../../../../../renderer/src/views/scripts/script/types/type-client.ts';

const LONG = 'function process_message() { read_message(';

const stateOf = (doc: string): EditorState => EditorState.create({ doc, selection: { anchor: doc.length } });
const callAt = (from: number): CallHelp => ({ from, before: 'f(', argument: 'a', after: ')', doc: '' });

/** A look whose questions are answered when the test says so. */
function lookOf(): { look: CallLook; shown: (CallHelp | null)[]; asked: string[]; answer: (call: CallHelp | null) => void } {
  const [shown, asked, waiting]: [(CallHelp | null)[], string[], ((call: unknown) => void)[]] = [[], [], []];
  const ask = (_: string, text: string): Promise<unknown> => {
    asked.push(text);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const look = new CallLook({ ask } as Pick<TypeClient, 'ask'>, (call) => shown.push(call));
  return { look, shown, asked, answer: (call) => waiting.shift()?.(call) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the call is shown when the answer comes, and once for several changes', async () => {
  const { look, shown, asked, answer } = lookOf();
  for (const doc of ['r', 're', LONG]) look.changed(() => stateOf(doc));
  await vi.runAllTimersAsync();
  answer(callAt(7));
  await vi.runAllTimersAsync();
  expect([asked, shown]).toEqual([[LONG], [callAt(7)]]);
});

test('an answer to a text that was changed since is passed over', async () => {
  const { look, shown, answer } = lookOf();
  look.changed(() => stateOf(LONG));
  await vi.runAllTimersAsync();
  look.changed(() => stateOf(''));
  answer(callAt(LONG.length - 1));
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toEqual([]);
  await vi.runAllTimersAsync();
  expect(shown).toEqual([null]);
});

test('what is hidden does not come back', async () => {
  const { look, shown, answer } = lookOf();
  look.changed(() => stateOf(LONG));
  await vi.runAllTimersAsync();
  look.forget();
  answer(callAt(7));
  await vi.runAllTimersAsync();
  expect(shown).toEqual([]);
});
