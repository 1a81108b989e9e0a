import { describe, expect, it } from 'vitest';
import {
  endBy,
  endOf,
  ForgedResultError,
  SandboxEndedError,
  SandboxHostError,
  SandboxLoadError,
  untaken,
  wordsOf,
} from '../../../../engine/sandbox/contract/errors.ts';

const END = endBy('limit.memory', 'exceeded memory_limit of 5');
const load = new SandboxLoadError({ name: 'x', script: '/x.js' }, END);

it('a script that does not load says why, and which it is', () => {
  expect([load.message, load.plugin, load.script, load.end]).toEqual([END.reason, 'x', '/x.js', END]);
});

it('a stopped sandbox has no reason', () => {
  expect(new SandboxEndedError('stopped').reason).toBeNull();
  expect(new SandboxEndedError('ended', END).reason).toBe(END.reason);
});

describe('the end that a failure stands for', () => {
  it.each([
    [load, END],
    [new Error('outer', { cause: new Error('inner', { cause: load }) }), END],
    [new SandboxEndedError('ended', END), END],
    [new SandboxEndedError('stopped'), endBy('sandbox.stopped', 'stopped')],
    [new Error('outer', { cause: new SandboxHostError('no host') }), endBy('host.start', 'outer')],
    [new ForgedResultError('forged'), endBy('sandbox.protocol', 'forged')],
    [new Error('other'), endBy('failed', 'other')],
    ['a text', endBy('failed', 'a text')],
  ])('%s', (error, end) => expect(endOf(error)).toEqual(end));
});

it.each([
  ['Error: no', 'no'],
  ['TypeError: a: b', 'a: b'],
  ['no error: x', 'no error: x'],
])('the words of %j', (said, words) => {
  expect(wordsOf({ code: 'failed', reason: 'r', said })).toBe(words);
  expect(wordsOf({ code: 'failed', reason: said })).toBe(words);
});

it('messages that were not taken end an input, forged ones its sandbox', () => {
  expect(untaken(new Error('full'))).toEqual(endBy('input.delivery', 'full'));
  expect(untaken(new ForgedResultError('forged'))).toEqual(endBy('sandbox.protocol', 'forged'));
});
