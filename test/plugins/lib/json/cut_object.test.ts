import { expect, it } from 'vitest';
import { decoder } from '../../support/decode.ts';
import { WHOLE } from '../../support/reads.ts';

const CUT = { ...WHOLE, decode_error: 'cut at 1 MiB' };
const MEBIBYTE = 1 << 20;

it.each([
  ['its own time', '{"time":"2021-03-05T13:07:59Z","level":"error","body":"', { ...CUT, Severity: 3 }],
  [
    'the time of an inner object',
    '{"items":[{"timestamp":"2021-03-05T13:07:59Z","a":{"b":1},"body":"',
    { ...CUT, items: ['[{"timestamp":"2021-03-05T13:07:59Z","a":{"b":1}}]', 'json'] },
  ],
])('an object that its input cut has %s', (_what, beginning, message) => {
  const record = beginning.padEnd(MEBIBYTE, 'x');
  for (const name of ['json_lines', 'generic']) expect(decoder(name)(record)).toEqual(message);
});
