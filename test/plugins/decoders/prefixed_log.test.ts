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

describe('lines of other platforms', () => {
  it.each([
    [
      'PM2',
      '0|shop-api  | 2021-03-05 13:07:59 ERROR no',
      { Timestamp: '1614949679000000000', Severity: 3, Logger: 'shop-api', Payload: 'no', pm_id: '0', container: 'shop-api' },
    ],
    [
      'PM2 with times',
      '12|@shop/api | 2021-03-05T13:07:59: Error: no',
      { Timestamp: '1614949679000000000', Severity: 3, Logger: '@shop/api', Payload: 'no', pm_id: '12', container: '@shop/api' },
    ],
    [
      'Heroku',
      '2021-03-05T13:07:59.250000+00:00 app[web.1]: {"level":"warn","msg":"slow","n":2}',
      { Timestamp: '1614949679250000000', Severity: 4, Logger: 'web.1', Payload: 'slow', source: 'app', dyno: 'web.1', n: 2 },
    ],
    [
      'Heroku, words',
      '2021-03-05T13:07:59.250000+00:00 heroku[web.1]: State changed from starting to up',
      { Timestamp: '1614949679250000000', Logger: 'web.1', Payload: 'State changed from starting to up', source: 'heroku', dyno: 'web.1' },
    ],
    [
      'logcli',
      '2021-03-05T13:07:59Z {app="shop", path="a\\"b"} level=error msg="no route" n=3',
      { Timestamp: '1614949679000000000', Severity: 3, Payload: 'no route', app: 'shop', path: 'a"b', n: 3 },
    ],
    ['logcli without labels', '2021-03-05T13:07:59Z {} slow', { Timestamp: '1614949679000000000', Payload: 'slow' }],
    [
      "Grafana's export",
      '1614949679250\t2021-03-05T13:07:59.250Z\tlevel=error msg=no',
      { Timestamp: '1614949679250000000', Severity: 3, Payload: 'no' },
    ],
    [
      "logrus' colours",
      'web-1  | \x1b[33mWARN\x1b[0m[0013] slow                                          \x1b[33mshop\x1b[0m=7',
      { Severity: 4, Logger: 'web-1', Payload: 'slow', container: 'web-1', uptime: [13, 's'], shop: 7, undated: true },
    ],
  ])('%s', (_, line, message) => {
    expect(decoder('prefixed_log')(line)).toEqual(message);
  });
});
