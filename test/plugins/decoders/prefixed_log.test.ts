import { describe, expect, it } from 'vitest';
import { decodeAll, decoder } from '../support/decode.ts';
import { AT, reads } from '../support/reads.ts';
import { startPlugin } from '../support/sandbox.ts';

const TIME = '2021-03-05T13:07:59.250000000Z';

reads('prefixed_log', {}, [
  ['web-1  | up\n', { container: 'web-1', Logger: 'web-1', Payload: 'up', undated: true }],
  ['web-1  |\r', { container: 'web-1', Logger: 'web-1', Payload: '', undated: true }],
  ['\u001b[36mweb_1  |\u001b[0m up', { container: 'web_1', Logger: 'web_1', Payload: 'up', undated: true }],
  [`web-1  | ${TIME} ERROR: no`, { ...AT, container: 'web-1', Logger: 'web-1', Severity: 3, Payload: 'no' }],
  [`${TIME} ERROR: no`, { ...AT, Severity: 3, Payload: 'no' }],
  [
    'web.1.k3xyzabcdefgh@node2    | up',
    { container: 'web.1.k3xyzabcdefgh', node: 'node2', Logger: 'web.1.k3xyzabcdefgh', Payload: 'up', undated: true },
  ],
  [`[pod/web-7/nginx] ${TIME} up`, { ...AT, pod: 'web-7', container: 'nginx', Logger: 'nginx', Payload: 'up' }],
  ['shop web-0 nginx up', { namespace: 'shop', pod: 'web-0', container: 'nginx', Logger: 'nginx', Payload: 'up', undated: true }],
  [
    'web-1  | {"stream":"a","container":"inner","msg":"x"}',
    { envelope_container: 'web-1', stream: 'a', container: 'inner', Logger: 'web-1', Payload: 'x', undated: true },
  ],
  // The program's own time, not that of the tool.
  [`web-1  | ${TIME} up`, { ...AT, container: 'web-1', Logger: 'web-1', Payload: 'up' }],
  ['web-1  | 2021-03-05T13:07:59.250Z INFO up', { ...AT, container: 'web-1', Logger: 'web-1', Severity: 6, Payload: 'up' }],
  ['+ shop web-0 › nginx', 'passed on'],
  ['[pod/web-7] x', 'refused: no name in front of the text'],
  ['words alone', 'refused: no name in front of the text'],
]);

describe('lines of several containers', () => {
  const joined = startPlugin('decoders/prefixed_log.ts', { records: 'joined' });
  const texts = (...lines: readonly string[]): unknown[] =>
    decodeAll(joined, lines.join('\n')).map(({ container, Payload }) => [container, Payload]);

  it('are joined with those of the same one that they go on with', () => {
    const lines = ['a-1  | no', 'b-1  | up', 'a-1  |   at x', 'a-1  | Caused by: y', 'a-1  |   ... 3 more', 'b-1  | down'];
    expect(texts(...lines)).toEqual([
      ['a-1', 'no\n  at x\nCaused by: y\n  ... 3 more'],
      ['b-1', 'up'],
      ['b-1', 'down'],
    ]);
  });

  it('have the last line of a traceback', () => {
    const lines = [
      'a-1  | no',
      'a-1  | Traceback (most recent call last):',
      'a-1  |   File "a.py", line 3',
      'a-1  | ValueError: bad',
      'a-1  | ValueError: bad',
    ];
    expect(texts(...lines)).toEqual([
      ['a-1', 'no\nTraceback (most recent call last):\n  File "a.py", line 3\nValueError: bad\nValueError: bad'],
    ]);
  });

  it('are none of a JSON object in front of them', () => {
    const lines = [
      'a-1  | {"msg":"no"}',
      'a-1  | Traceback (most recent call last):',
      'a-1  |   File "a.py", line 3',
      'a-1  | ValueError: bad',
    ];
    expect(texts(...lines)).toEqual([
      ['a-1', 'no'],
      ['a-1', 'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: bad'],
    ]);
  });

  it('have a time of the tool each', () => {
    const lines = [`a-1  | ${TIME} 2021-03-05 13:07:58,500 ERROR shop.db - no`, `a-1  | ${TIME}   at x`];
    expect(decodeAll(joined, lines.join('\n'))).toEqual([
      { Timestamp: '1614949678500000000', Severity: 3, Logger: 'shop.db', Payload: 'no\n  at x', container: 'a-1', envelope_time: TIME },
    ]);
  });
});

it('keeps the name, or the whole line, and opens nothing, as it is told', () => {
  const line = 'web-1  | level=warn msg=slow';
  expect(decoder('prefixed_log', { prefix_keep: true })(line)).toMatchObject({ Payload: 'web-1  | slow', Severity: 4 });
  expect(decoder('prefixed_log', { payload_keep: true })(line)).toMatchObject({ Payload: line, Severity: 4 });
  expect(decoder('prefixed_log', { unwrap: false })(line)).toMatchObject({ Payload: 'level=warn msg=slow', Severity: 4 });
});
