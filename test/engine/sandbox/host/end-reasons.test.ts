import { describe, expect, it } from 'vitest';
import { EndReasons, isTimeout, type Places } from '../../../../engine/sandbox/host/end-reasons.ts';

const PLACE = { file: 'x.js', line: 3, column: 5 };
/** The place is known for a stack that is not empty; it is in a loop when the stack says so. */
const PLACES: Places = {
  placeOf: (stack) => (stack === '' ? null : PLACE),
  loopOf: (stack) => (stack === '' ? null : { place: PLACE, loop: stack.includes('loop') ? 2 : null }),
};
const LIMITS = { memory: 1000, instructions: 1, output: 50, callMs: 70 };
const reasons = (limits = LIMITS) => new EndReasons({ kind: 'filter', limits } as never, PLACES);
const NO_BUFFER = 'RangeError: Array buffer allocation failed';
const MEMORY = { code: 'limit.memory', limit: 1000 };

describe('the outcome of a call', () => {
  it.each<[what: string, outcome: unknown[], end: object | null]>([
    ['goes on', [null], null],
    ['says its end', [{ code: 'failed', reason: 'r' }], { code: 'failed', reason: 'r' }],
    [
      'throws',
      ['Error: no', 'at', false],
      { code: 'script.throws', reason: 'process_message() x.js:3:5: Error: no', said: 'Error: no', place: PLACE },
    ],
    ['throws at no place', ['Error: no', '', false], { code: 'script.throws', reason: 'process_message() Error: no', said: 'Error: no' }],
    ['writes too much', ['Error: no', '', true], { code: 'limit.output', limit: 50, reason: 'process_message() Error: no' }],
    [
      'finds no room for bytes',
      [NO_BUFFER, 'at', false],
      { ...MEMORY, reason: 'exceeded memory_limit of 1000 in process_message, x.js:3' },
    ],
    [
      'within a loop',
      [NO_BUFFER, 'loop', false],
      { ...MEMORY, reason: 'exceeded memory_limit of 1000 in process_message, x.js:3 (a loop that began at 2)' },
    ],
  ])('%s', (_what, outcome, end) => {
    const found = reasons().ofOutcome('process_message()', outcome as never);
    if (end === null) expect(found).toBeNull();
    else expect(found).toMatchObject(end);
  });

  it('is an error of the script where memory has no limit', () => {
    expect(reasons({ ...LIMITS, memory: 0 }).ofOutcome('', [NO_BUFFER, '', false])).toMatchObject({
      code: 'script.throws',
      reason: NO_BUFFER,
    });
  });

  it('names the top level', () => {
    expect(reasons().ofOutcome('', [NO_BUFFER, '', false])?.reason).toBe('exceeded memory_limit of 1000 at the top level');
  });
});

describe('an error from the isolate', () => {
  const timeout = new Error('Script execution timed out.');
  timeout.stack = '';

  it('is the limit of time only when the call was as long', () => {
    expect(isTimeout(timeout)).toBe(true);
    expect(isTimeout('Script execution timed out.')).toBe(false);
    expect(reasons().ofError(timeout, 'in x', false, true)).toEqual({
      code: 'limit.time',
      limit: 70,
      reason: 'exceeded the time limit of 70 ms in x',
    });
    expect(reasons().ofError(timeout, 'in x', false, false)).toMatchObject({
      code: 'script.throws',
      said: 'Error: Script execution timed out.',
    });
  });

  it('is a want of memory when the isolate is gone', () => {
    expect(reasons().ofError(new Error('gone'), 'in x', true, false)).toMatchObject({ ...MEMORY, reason: 'exceeded memory_limit of 1000' });
  });

  it('may be anything that is thrown', () => {
    expect(reasons().ofError('words', 'in x', false, false)).toMatchObject({ code: 'script.throws', reason: 'words' });
  });
});
