import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { READ_AT } from '../support/decode.ts';
import { AT, reads, WHOLE } from '../support/reads.ts';

const NOW = 1_614_949_800_000_000_000n;

describe('the decoder generic', () => {
  const generic = startPlugin('decoders/generic.ts', {});
  const decode = (line: string): ReturnType<typeof generic.process> => generic.process({ Timestamp: NOW, Payload: line, Fields: [] });

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
        if (message?.Fields.some(({ name }) => name === 'undated')) expect(message.Timestamp).toBe(NOW);
      }),
      { numRuns: 300 },
    );
  });
});

const UNDATED = { Timestamp: String(READ_AT), undated: true };
const SAMBA = '../source3/smbd/server.c:1789(main)';

reads('generic', {}, [
  ['2021-02-30 00:00:00 INFO x', { ...UNDATED, Severity: 6, Payload: 'x' }],
  ['31/04/2021 13:07:59 y', { ...UNDATED, Payload: '31/04/2021 13:07:59 y' }],
  ['0001-01-01T00:00:00Z ERROR x', { ...UNDATED, Severity: 3, Payload: 'x' }],
  [
    'info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost:5000',
    {
      ...UNDATED,
      Severity: 6,
      Logger: 'Microsoft.Hosting.Lifetime',
      event_id: 14,
      Payload: '      Now listening on: http://localhost:5000',
    },
  ],
  ['fail: Shop.Till[0]\r\n      no', { ...UNDATED, Severity: 3, Logger: 'Shop.Till', event_id: 0, Payload: '      no' }],
  ['ERRO[0013] no till  shop=7', { ...UNDATED, Severity: 3, uptime: [13, 's'], shop: 7, Payload: 'no till' }],
  ['WARN[12345] slow', { ...UNDATED, Severity: 4, uptime: [12345, 's'], Payload: 'slow' }],
  [`[2021/03/05 13:07:59.250000,  0] ${SAMBA}\n  smbd started`, { ...AT, Severity: 3, source: SAMBA, Payload: '  smbd started' }],
  [
    `[2021/03/05 13:07:59.250000,  3, pid=4123, effective(0, 0), real(0, 0), class=auth] ${SAMBA}\n  x`,
    { ...AT, Severity: 5, Pid: 4123, Logger: 'auth', source: SAMBA, Payload: '  x' },
  ],
  ['=ERROR REPORT==== 5-Mar-2021::13:07:59 ===\nno queue', { ...WHOLE, Severity: 3, context: '=ERROR REPORT', Payload: 'no queue' }],
  ['20210305-0:1:9:5|Step_LSC|30002312|walked', { Timestamp: '1614902469005000000', Pid: 30002312, Logger: 'Step_LSC', Payload: 'walked' }],
]);
