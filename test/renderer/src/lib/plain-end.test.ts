import { describe, expect, it } from 'vitest';
import type { End } from '../../../../engine/api/ends.ts';
import { plainEnd } from '../../../../renderer/src/lib/plain-end.ts';
import { LIMITS } from '../../../engine/limit-sentences.ts';

const PLACE = { file: 'x.js', line: 4, column: 33 };

describe('the end of a script', () => {
  it.each<[End, RegExp, number | null]>([
    [{ code: 'limit.instructions', reason: 'exceeded instruction_limit of 1000000', limit: 1_000_000 }, /more than 1,000,000 steps/, null],
    [{ code: 'limit.memory', reason: 'exceeded memory_limit of 8388608', limit: 8_388_608 }, /more than 8\.4 MB of memory/, null],
    [{ code: 'limit.time', reason: 'exceeded the time limit of 3000 ms', limit: 3000 }, /longer than 3 s/, null],
    [
      { code: 'script.throws', reason: 'process_message() x.js:4:33: TypeError: a is null', place: PLACE, said: 'TypeError: a is null' },
      /^Line 4 of x\.js: TypeError: a is null\.$/,
      4,
    ],
    [{ code: 'limit.output', reason: 'r', limit: 64_512, place: PLACE, said: 's' }, /payload of more than 64\.5 kB/, 4],
    [{ code: 'filter.circular', reason: 'inject_message: …' }, /selects the messages that it injects/, null],
    [{ code: 'filter.slow', reason: 'the sandbox is slow', limit: 100_000 }, /may take 100 µs on average/, null],
    [{ code: 'limit.loops', reason: 'inject_message: exceeded max_message_loops of 4', limit: 4 }, /around more than 4 times/, null],
    [{ code: 'limit.process-inject', reason: 'r', limit: 1 }, /more than 1 in one call of process_message/, null],
    [{ code: 'limit.timer-inject', reason: 'r', limit: 10 }, /more than 10 in one call of timer_event/, null],
    [{ code: 'script.status', reason: 'process_message() returned 2' }, /^process_message\(\) returned 2\.$/, null],
    [{ code: 'failed', reason: 'something new' }, /^something new\.$/, null],
    [{ code: 'failed', reason: '' }, /no reason/, null],
  ])('$code: $reason', (end, text, line) => {
    const plain = plainEnd(end);
    expect(plain.text).toMatch(text);
    expect(plain.place?.line ?? null).toBe(line);
  });

  it.each(LIMITS)('is not taken for the %s that a script only speaks of', (_limit, sentence) => {
    const end: End = {
      code: 'script.throws',
      reason: `process_message() x.js:4:33: Error: ${sentence}`,
      place: PLACE,
      said: `Error: ${sentence}`,
    };
    const text = `Error: ${sentence.replace(/\.$/, '')}.`;
    expect(plainEnd(end)).toEqual({ text: `Line 4 of x.js: ${text}`, advice: '', place: { file: 'x.js', line: 4 } });
    expect(plainEnd(end, true).text).toBe(text);
  });
});
