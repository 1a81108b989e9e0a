import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';

const READ_AT = 1_614_949_800_000_000_000n;

describe('the decoder generic', () => {
  const generic = startPlugin('decoders/generic.ts', {});
  const decode = (line: string): ReturnType<typeof generic.process> => generic.process({ Timestamp: READ_AT, Payload: line, Fields: [] });

  /** Pieces of lines: those of times and levels, and what breaks readers of them. */
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        '2021-03-05',
        '13:07:59',
        ',250',
        'T',
        'Z',
        '+01:00',
        '[',
        ']',
        '(',
        ' ',
        '\t',
        '|',
        ' - ',
        ': ',
        '<',
        '>',
        '"',
        '{"a":1}',
        '{',
        '=',
      ],
      ...[
        'ERROR',
        'warn',
        'level=',
        'INFO:',
        'Mar',
        'März',
        '5',
        '31',
        '99',
        '1614949679',
        '@4000000060',
        'main',
        'a.b.C',
        'x[7]:',
        '\n',
        '\n\tat x',
      ],
      ...['\u001b[31m', '\u001b[', '\u202e', '\u200b', '\u0000', '\ud800', '年', '😀'],
    ),
    fc.string({ maxLength: 6 }),
  );
  const line = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

  it('reads a thousand lines of anything: each is one message, or refused because it is blank', () => {
    fc.assert(
      fc.property(line, (text) => {
        const { rc, reason, injected } = decode(text);
        if (rc === 0) expect(injected).toHaveLength(1);
        else expect([rc, reason]).toEqual([-1, 'nothing but white space']);
      }),
      { numRuns: 1000 },
    );
  });

  it('marks what has no time, and leaves its time to the records around it', () => {
    fc.assert(
      fc.property(line, (text) => {
        const [message] = decode(text).injected;
        if (message?.Fields.some(({ name }) => name === 'undated')) expect(message.Timestamp).toBe(READ_AT);
      }),
      { numRuns: 300 },
    );
  });
});
