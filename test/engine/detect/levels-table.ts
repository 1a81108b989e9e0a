/** Logs as programs write them by their documentation, and what their first records are. */

export interface ExpectedRecord {
  /** Absent: not looked at; null: it has none. */
  readonly severity?: number | null;
  readonly payload?: string;
  readonly logger?: string;
  readonly hostname?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface LevelCase {
  readonly kind: string;
  readonly lines: readonly string[];
  readonly records: readonly ExpectedRecord[];
}

const of =
  (kind: string) =>
  (lines: readonly string[], ...records: readonly ExpectedRecord[]): LevelCase => ({ kind, lines, records });

const json = (object: unknown): string => JSON.stringify(object);
const docker = (log: string, second = 0): string => json({ log: `${log}\n`, stream: 'stdout', time: `2024-05-01T10:00:0${second}.1Z` });
const cri = (log: string, second = 0): string => `2024-05-01T10:00:0${second}.100000000Z stdout F ${log}`;

const letters = of('level-letters');
const words = of('level-word-eaten');
const blanks = of('level-with-blanks');
const marks = of('level-after-mark');
const container = of('level-in-container-text');
const numbers = of('small-number-levels');
const names = of('json-vendor-names');
const framing = of('json-framing');
const pairs = of('logfmt-quotes');
const access = of('access-client-port-us');
const csv = of('csv-odd-rows');
const swallowed = of('swallowed-by-record-before');
const envelope = of('envelope');

export const LEVEL_CASES: readonly LevelCase[] = [
  numbers(
    [
      json({ datetime: '2024-05-01T10:00:00Z', channel: 'app', level: 400, message: 'a' }),
      json({ datetime: '2024-05-01T10:00:01Z', channel: 'app', level: 100, message: 'b' }),
    ],
    { severity: 3 },
    { severity: 7 },
  ),
  marks(['2024-05-01 10:00:00 ✗ error: a', '2024-05-01 10:00:01 ✔ success: b'], { severity: 3, payload: 'a' }, { payload: 'b' }),
  words(
    ['2024-05-01 10:00:00,123 [main] Debug port open', '2024-05-01 10:00:01,123 [main] Notice sent'],
    { payload: 'Debug port open' },
    { payload: 'Notice sent' },
  ),
  blanks(
    [
      json({ time: '2024-05-01T10:00:00Z', level: '\u001b[31merror\u001b[39m', message: 'a' }),
      json({ time: '2024-05-01T10:00:01Z', level: '\u001b[32minfo\u001b[39m', message: 'b' }),
    ],
    { severity: 3 },
    { severity: 6 },
  ),
  container([cri('\u001b[31mERROR\u001b[0m a'), cri('\u001b[33mWARN\u001b[0m b', 1)], { severity: 3 }, { severity: 4 }),
  letters(
    ['[I 2024-02-20 19:57:30.123 ServerApp] nbclassic | extension', '[W 2024-02-20 19:57:31.123 ServerApp] slow'],
    { severity: 6 },
    { severity: 4 },
  ),
  letters(['[I 19:57:30.123 NotebookApp] Serving', '[E 19:57:31.123 NotebookApp] bad'], { severity: 6 }, { severity: 3 }),
  letters(
    [
      '[4/9/24 7:05:09:123 UTC] 0000000a SSLHandshakeE E SSLC0008E: Unable',
      '[4/9/24 7:05:10:123 UTC] 0000000a WASSessionCor W SESN0066W: x',
    ],
    { severity: 3 },
    { severity: 4 },
  ),
  letters(
    ['[4/9/24 7:05:09:123 UTC] 00000001 ManagerAdmin  I   TRAS0017I: The startup', '[4/9/24 7:05:10:123 UTC] 00000001 SystemErr     R   x'],
    { severity: 6 },
    {},
  ),
  letters(
    ['I0305 13:07:59.250123    4123 server.cc:12] up', 'W0305 13:08:00.250123    4123 server.cc:13] slow'],
    { severity: 6, payload: 'up' },
    { severity: 4 },
  ),
  letters(
    ['2024-05-01 10:00:00.123 E 4123 main.cc:12 bad', '2024-05-01 10:00:01.123 I 4123 main.cc:13 ok'],
    { severity: 3 },
    { severity: 6 },
  ),
  letters(['[E 240220 19:57:30 web:2271] 500 POST /x', '[D 240220 19:57:31 web:1] x'], { severity: 3 }, { severity: 7 }),
  words(['2024-05-01 10:00:00 info desk opened', '2024-05-01 10:00:01 gate closed', '2024-05-01 10:00:02 gate opened'], {
    payload: 'info desk opened',
  }),
  words(['2024-05-01 10:00:00 warning lights tested', '2024-05-01 10:00:01 lights off'], { payload: 'warning lights tested' }),
  words(['2024-05-01 10:00:00 fatal accidents: 0', '2024-05-01 10:00:01 done'], { payload: 'fatal accidents: 0' }),
  words(['2024-05-01 10:00:00 debug port is 9229', '2024-05-01 10:00:01 ready'], { payload: 'debug port is 9229' }),
  words(['2024/05/01 10:00:00 critical path found', '2024/05/01 10:00:01 ready'], { payload: 'critical path found' }),
  words(['[2024-05-01 10:00:00] trace id is 7', '[2024-05-01 10:00:01] ready'], { payload: 'trace id is 7' }),
  words(['[2024-05-01 10:00:00] Notice board updated', '[2024-05-01 10:00:01] ready'], { payload: 'Notice board updated' }),
  words(
    ['2024-05-01 10:00:00 info starting up', '2024-05-01 10:00:01 error no route', '2024-05-01 10:00:02 debug x'],
    { severity: 6, payload: 'starting up' },
    { severity: 3, payload: 'no route' },
  ),
  words(['2024-05-01 10:00:00 error: no route', '2024-05-01 10:00:01 info: up'], { severity: 3, payload: 'no route' }, { severity: 6 }),
  words(['2024-05-01 10:00:00 ERROR no route', '2024-05-01 10:00:01 INFO up'], { severity: 3, payload: 'no route' }, { severity: 6 }),
  blanks(
    [json({ time: '2024-05-01T10:00:00Z', level: 'WARN ', msg: 'a' }), json({ time: '2024-05-01T10:00:01Z', level: ' info', msg: 'b' })],
    { severity: 4 },
    { severity: 6 },
  ),
  blanks(
    [
      json({ time: '2024-05-01T10:00:00Z', level: '<error>', msg: 'a' }),
      json({ time: '2024-05-01T10:00:01Z', level: '✖ error', msg: 'b' }),
    ],
    { severity: 3 },
    { severity: 3 },
  ),
  blanks([json({ time: '2024-05-01T10:00:00Z', level: '(warning)', msg: 'a' })], { severity: 4 }),
  blanks(
    ['ts=2024-05-01T10:00:00Z level="[ERROR]" msg=a', 'ts=2024-05-01T10:00:01Z level="INFO " msg=b'],
    { severity: 3 },
    { severity: 6 },
  ),
  blanks(
    ['time,level,message', '2024-05-01T10:00:00Z, ERROR ,a', '2024-05-01T10:00:01Z, INFO ,b', '2024-05-01T10:00:02Z, WARN ,c'],
    { severity: 3 },
    { severity: 6 },
  ),
  marks(['2024-05-01 10:00:00 fail: My.App.Service[7]', '      no route'], {
    severity: 3,
    logger: 'My.App.Service',
    payload: '      no route',
  }),
  marks(
    ['2024-05-01 10:00:00 crit: My.App.Service[0] boom', '2024-05-01 10:00:01 dbug: My.App.Service[0] x'],
    { severity: 2 },
    { severity: 7 },
  ),
  marks(
    ['< 2024-05-01 10:00:00.123 UTC >FATAL:  password authentication failed', '< 2024-05-01 10:00:01.123 UTC >LOG:  ready'],
    { severity: 2 },
    { severity: 6 },
  ),
  marks(['2024-05-01 10:00:00 verbose: x', '2024-05-01 10:00:01 alert: y'], { severity: 7 }, { severity: 1 }),
  marks(['host1:71:81 [3] NCCL INFO NET/Socket', 'host1:71:81 [3] NCCL WARN Connect failed'], { severity: 6 }, { severity: 4 }),
  container([docker('[10:00:00 FTL] down'), docker('[10:00:01 DBG] x', 1)], { severity: 2 }, { severity: 7 }),
  container([docker('[2024-05-01 10:00:00] [WRN] slow'), docker('2024-05-01T10:00:00Z [INF] up', 1)], { severity: 4 }, { severity: 6 }),
  container([docker('10:00:00.123 [main] WARN  c.e.App - slow'), docker('10:00:01 INFO up', 1)], { severity: 4 }, { severity: 6 }),
  container([cri('[ERR] bad'), cri('[WRN] slow', 1)], { severity: 3 }, { severity: 4 }),
  container([cri('2024-05-01 10:00:00,123 [pool-1] ERROR x - y'), cri('error rate is 0', 1)], { severity: 3 }, { severity: null }),
  container(['May  1 10:00:00 h app[1]: [ERR] x', 'May  1 10:00:01 h app[1]: [10:00:01 INF] y'], { severity: 3 }, { severity: 6 }),
  container(['[WRN] slow', '[ERR] bad', '[INF] up'], { severity: 4 }, { severity: 3 }, { severity: 6 }),
  numbers(
    [
      json({ reqId: 'a', level: 0, time: '2024-05-01T10:00:00+00:00', remoteAddr: '', message: 'x' }),
      json({ reqId: 'b', level: 4, time: '2024-05-01T10:00:01+00:00', remoteAddr: '', message: 'y' }),
    ],
    { severity: 7 },
    { severity: 2 },
  ),
  numbers(
    [
      json({ time: '2024-05-01T10:00:00Z', level: 20, message: 'x' }),
      json({ time: '2024-05-01T10:00:01Z', level: 20, message: 'y' }),
      json({ time: '2024-05-01T10:00:02Z', level: 40, message: 'z' }),
    ],
    { severity: 6 },
    { severity: 6 },
    { severity: 3 },
  ),
  numbers(
    [
      json({ level: 30, time: 1714557600000, pid: 7, hostname: 'h', msg: 'x' }),
      json({ level: 50, time: 1714557601000, pid: 7, hostname: 'h', msg: 'y' }),
    ],
    { severity: 6 },
    { severity: 3 },
  ),
  numbers(
    [json({ time: '2024-05-01T10:00:00Z', level: 6, message: 'x' }), json({ time: '2024-05-01T10:00:01Z', level: 3, message: 'y' })],
    { severity: 6 },
    { severity: 3 },
  ),
  numbers(
    [
      json({ time: '2024-05-01T10:00:00Z', Level: 2, EventID: 7036, ProviderName: 'SCM', Message: 'x' }),
      json({ time: '2024-05-01T10:00:01Z', Level: 4, EventID: 7036, ProviderName: 'SCM', Message: 'y' }),
    ],
    { severity: 3 },
    { severity: 6 },
  ),
  numbers(
    [json({ time: '2024-05-01T10:00:00Z', level: 2, message: 'x' }), json({ time: '2024-05-01T10:00:01Z', level: 1, message: 'y' })],
    { severity: 4 },
    { severity: 6 },
  ),
  names([json({ '@fields': { timestamp: 1714557600000, level: 'WARN' }, '@message': 'x' })], { severity: 4, payload: 'x' }),
  names([json({ time: '2024-05-01T10:00:00Z', level: { level: 50000, levelStr: 'FATAL' }, message: 'x' })], { severity: 2 }),
  names(
    [
      json({ time: '2024-05-01T10:00:00Z', '@level': 'warn', '@message': 'x', '@module': 'm' }),
      json({ time: '2024-05-01T10:00:01Z', '@level': 'error', '@message': 'y', '@module': 'm' }),
    ],
    { severity: 4, payload: 'x' },
    { severity: 3 },
  ),
  names(
    [
      '{ "log": "level=error msg=x\\n", "stream": "stdout", "time": "2024-05-01T10:00:00.1Z" }',
      '{ "log": "b\\n", "stream": "stdout", "time": "2024-05-01T10:00:01.1Z" }',
    ],
    { severity: 3, payload: 'x' },
    { payload: 'b' },
  ),
  framing(
    [
      '[pod/web-1/web] {"level":"warn","time":"2024-05-01T10:00:00Z","msg":"x"}',
      '[pod/web-1/web] {"level":"info","time":"2024-05-01T10:00:01Z","msg":"y"}',
    ],
    { severity: 4, payload: 'x', fields: { pod: 'web-1', container: 'web' } },
    { severity: 6 },
  ),
  framing(
    [
      'web-1 app {"level":"warn","time":"2024-05-01T10:00:00Z","msg":"x"}',
      'web-1 app {"level":"info","time":"2024-05-01T10:00:01Z","msg":"y"}',
    ],
    { severity: 4, payload: 'x' },
    { severity: 6 },
  ),
  framing(
    [
      'web-1  | {"level":"warn","time":"2024-05-01T10:00:00Z","msg":"x"}',
      'db-1   | {"level":"info","time":"2024-05-01T10:00:01Z","msg":"y"}',
    ],
    { severity: 4, payload: 'x' },
    { severity: 6 },
  ),
  framing(
    ['{"time":"2024-05-01T10:00:00Z","level":"error","msg":"}{"} {"time":"2024-05-01T10:00:01Z","level":"info","msg":"y"}'],
    { severity: 3, payload: '}{' },
    { severity: 6 },
  ),
  framing(
    ['{"time":"2024-05-01T10:00:00Z","level":"error","msg":"x"},{"time":"2024-05-01T10:00:01Z","level":"info","msg":"y"}'],
    { severity: 3 },
    { severity: 6 },
  ),
  framing(
    ['\x1e{"time":"2024-05-01T10:00:00Z","level":"warn","msg":"x"}', '\x1e{"time":"2024-05-01T10:00:01Z","level":"info","msg":"y"}'],
    { severity: 4 },
    { severity: 6 },
  ),
  pairs(
    ["time=2024-05-01T10:00:00Z level=error msg='it''s' n=1", "time=2024-05-01T10:00:01Z level=info msg='two words' n=2"],
    { severity: 3 },
    { payload: 'two words', fields: { n: 2 } },
  ),
  pairs(
    [`time=2024-05-01T10:00:00Z level=info msg="a" path='/x y'`, `time=2024-05-01T10:00:01Z level=info msg="it's"`],
    { fields: { path: '/x y' } },
    { payload: "it's" },
  ),
  pairs(
    ['time=2024-05-01T10:00:00Z level=info "some key"=v msg=x', 'time=2024-05-01T10:00:01Z level=info "k"="v w" msg=y'],
    { payload: 'x', fields: { 'some key': 'v' } },
    { fields: { k: 'v w' } },
  ),
  pairs(
    ["time=2024-05-01T10:00:00Z level=info user=o'neil msg=x", "time=2024-05-01T10:00:01Z level=info user='a msg=y"],
    { fields: { user: "o'neil" } },
    { payload: 'y' },
  ),
  pairs(
    ['at=info method=GET path="/" host=x dyno=web.1 status=200', 'at=error code=H12 desc="Request timeout" method=GET path="/"'],
    { severity: 6 },
    { severity: 3 },
  ),
  access(
    [
      '198.51.100.7:50122 - bob [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 12 "-" "x"',
      '198.51.100.7:50123 - - [05/Mar/2021:13:08:00 +0000] "GET / HTTP/1.1" 404 12 "-" "x"',
    ],
    { fields: { status: 200, remote_port: 50122 } },
    { fields: { status: 404 } },
  ),
  access(
    [
      '198.51.100.7 - - [05/Mar/2021:13:07:59.250 +0000] "GET / HTTP/1.1" 200 12',
      '198.51.100.7 - - [05/Mar/2021:13:08:00.1 +0000] "GET / HTTP/1.1" 404 12',
    ],
    { fields: { status: 200 } },
    { fields: { status: 404 } },
  ),
  access(
    [
      'shop.example:443 [2001:db8::1]:61264 - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 12 "-" "x"',
      'shop.example:443 [2001:db8::1]:61265 - - [05/Mar/2021:13:08:00 +0000] "GET / HTTP/1.1" 500 12 "-" "x"',
    ],
    { fields: { status: 200 } },
    { fields: { status: 500 } },
  ),
  csv(
    ['# made by x', 'time;level;message', '2024-05-01 10:00:00;ERROR;a', '2024-05-01 10:00:01;INFO;b'],
    { severity: 3, payload: 'a' },
    { severity: 6 },
  ),
  csv(
    ['time, level, message', '2024-05-01 10:00:00, ERROR, a', '2024-05-01 10:00:01, INFO, b'],
    { severity: 3, payload: 'a' },
    { severity: 6 },
  ),
  csv(
    ['time,"long\nname",level', '2024-05-01 10:00:00,x,ERROR', '2024-05-01 10:00:01,y,INFO'],
    { severity: 3, fields: { 'long name': 'x' } },
    { severity: 6 },
  ),
  swallowed(
    ['2024-05-01 10:00:00,123 INFO main a', '(Worker pid=7) 2024-05-01 10:00:01,123 ERROR w b', '2024-05-01 10:00:02,123 INFO main c'],
    { severity: 6 },
    { severity: 3 },
    { severity: 6 },
  ),
  swallowed(
    ['2024-05-01 10:00:00,123 INFO main a', '[2,7]<stderr>:2024-05-01 10:00:01,123 ERROR w b', '2024-05-01 10:00:02,123 INFO main c'],
    { severity: 6 },
    { severity: 3 },
    { severity: 6 },
  ),
  swallowed(
    ['2024-05-01 10:00:00,123 INFO main a', '\ufeff2024-05-01 10:00:01,123 WARN main b', '2024-05-01 10:00:02,123 INFO main c'],
    { severity: 6 },
    { severity: 4, payload: 'main b' },
    { severity: 6 },
  ),
  envelope(
    [docker(json({ time: '2024-05-01T09:00:00Z', level: 'error', msg: 'x', n: 3 })), docker('plain', 1)],
    { severity: 3, payload: 'x', fields: { n: 3, stream: 'stdout' } },
    { payload: 'plain' },
  ),
  envelope(
    [cri('ts=2024-05-01T09:00:00Z level=warn msg="x y" n=3'), cri('plain', 1)],
    { severity: 4, payload: 'x y', fields: { n: 3 } },
    { payload: 'plain' },
  ),
  envelope(
    ['<14>May  1 10:00:00 h app[1]: @cee: {"level":"error","msg":"x","n":3}', '<14>May  1 10:00:01 h app[1]: plain'],
    { severity: 3, payload: 'x', fields: { n: 3, envelope_severity: 6 } },
    { severity: 6 },
  ),
  envelope(
    ['<14>1 2024-05-01T10:00:00Z h app 1 - - {"level":"warn","msg":"x","n":3}', '<14>1 2024-05-01T10:00:01Z h app 1 - - y'],
    { severity: 4, payload: 'x', fields: { n: 3 } },
    { severity: 6 },
  ),
  envelope(
    [
      json({ __REALTIME_TIMESTAMP: '1714557600000000', MESSAGE: '{"level":"error","msg":"x","n":3}', PRIORITY: '6' }),
      json({ __REALTIME_TIMESTAMP: '1714557601000000', MESSAGE: 'plain', PRIORITY: '6' }),
    ],
    { severity: 3, payload: 'x', fields: { n: 3 } },
    { severity: 6, payload: 'plain' },
  ),
  envelope([docker(json({ level: 'info', msg: json({ level: 'error', msg: 'inner', n: 3 }) }))], {
    severity: 3,
    payload: 'inner',
    fields: { n: 3 },
  }),
  names([json({ prio: 1, err_code: 13183, subsystem: 'InnoDB', msg: 'bad', time: '2024-05-01T10:00:00.123456Z', label: 'Error' })], {
    severity: 3,
    payload: 'bad',
    logger: 'InnoDB',
  }),
  names([json({ asctime: '2024-05-01 10:00:00,123', levelname: 'ERROR', name: 'shop.db', message: 'full' })], {
    severity: 3,
    payload: 'full',
    logger: 'shop.db',
  }),
  names(
    [
      json({ date: '2024-05-01T10:00:00.123Z', status: 'error', message: 'm', service: 's', host: 'h1' }),
      json({ date: '2024-05-01T10:00:01.123Z', status: 'info', message: 'n', service: 's', host: 'h1' }),
    ],
    { severity: 3, payload: 'm', hostname: 'h1' },
    { severity: 6 },
  ),
  names([json({ '@level': 'error', '@message': 'm', '@module': 'agent', '@timestamp': '2024-05-01T10:00:00.123456Z' })], {
    severity: 3,
    payload: 'm',
    logger: 'agent',
  }),
  names(
    [json({ Timestamp: '2024-05-01T10:00:00Z', SeverityText: 'ERROR', Body: 'm' }), json({ Timestamp: '2024-05-01T10:00:01Z', Body: 'n' })],
    { severity: 3, payload: 'm' },
    { payload: 'n' },
  ),
  names([json({ PROGRAM: 'app', PRIORITY: 'err', PID: '7', MESSAGE: 'm', HOST: 'h1', DATE: '2024-05-01T10:00:00+00:00' })], {
    severity: 3,
    payload: 'm',
    hostname: 'h1',
    logger: 'app',
  }),
  names(
    [
      json({
        text: 'm\n',
        record: {
          level: { name: 'ERROR', no: 40 },
          message: 'm',
          name: 'shop.db',
          process: { id: 7 },
          time: { repr: '2024-05-01 10:00:00+00:00', timestamp: 1714557600.5 },
        },
      }),
    ],
    { severity: 3, payload: 'm', logger: 'shop.db' },
  ),
  names(
    [
      json({
        Event: {
          System: { EventID: 7000, Level: 2, TimeCreated: { '#attributes': { SystemTime: '2024-05-01T10:00:00.1Z' } }, Computer: 'h1' },
        },
      }),
    ],
    { severity: 3, hostname: 'h1' },
  ),
  envelope(
    [
      docker('2024-05-01 10:00:00,500 ERROR main: no'),
      docker('Traceback (most recent call last):'),
      docker('  File "a.py", line 1'),
      docker('KeyError: 1'),
    ],
    { severity: 3, payload: 'no\nTraceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1' },
  ),
  envelope(
    [cri('2024-05-01T10:00:00Z ERROR no'), cri('shop.SaleException: x'), cri('\tat shop.Sale.sell(Sale.java:7)'), cri('INFO ok')],
    { severity: 3, payload: 'no\nshop.SaleException: x\n\tat shop.Sale.sell(Sale.java:7)' },
    { severity: 6 },
  ),
  ...['web_1  | ', 'worker-1: ', '[default0]:', '> ', '<stderr> ', '\u001b[32mworker |\u001b[0m '].map((name) =>
    swallowed(
      ['2024-05-01 10:00:00,123 INFO start', `${name}2024-05-01 10:00:01,123 ERROR bad`, '2024-05-01 10:00:02,123 WARN hm'],
      { severity: 6, payload: 'start' },
      { severity: 3 },
      { severity: 4, payload: 'hm' },
    ),
  ),
  swallowed(
    ['2024-05-01 10:00:00,123 INFO start', 'time="2024-05-01T10:00:01Z" level=error msg=bad n=3', '2024-05-01 10:00:02,123 WARN hm'],
    { severity: 6 },
    { severity: 3, payload: 'bad', fields: { n: 3 } },
    { severity: 4, payload: 'hm' },
  ),
  swallowed(
    [
      '2024-05-01 10:00:00,123 INFO start',
      '192.0.2.1 - - [01/May/2024:10:00:01 +0000] "GET / HTTP/1.1" 500 12 "-" "curl/8"',
      '2024-05-01 10:00:02,123 WARN hm',
    ],
    { severity: 6, payload: 'start' },
    {},
    { severity: 4, payload: 'hm' },
  ),
  envelope([cri('[2024-05-01T10:00:00.123Z] "GET /x HTTP/1.1" 503 UF 0 91 10 9 "-" "curl/8" "id-1" "svc:80" "192.0.2.1:80"')], {
    fields: { status: 503, response_flags: 'UF' },
  }),
  pairs(
    ['time=2024-05-01T10:00:00Z level=error msg=m body={"a": 1, "b": "c d"} n=3', 'time=2024-05-01T10:00:01Z level=info msg=ok'],
    { severity: 3, payload: 'm', fields: { body: '{"a": 1, "b": "c d"}', n: 3 } },
    { severity: 6 },
  ),
  pairs(
    ['time=2024-05-01T10:00:00Z\tlevel=error\tmsg="a b"\tlist=[a b c]\tn=3', 'time=2024-05-01T10:00:01Z\tlevel=info\tmsg=ok'],
    { severity: 3, payload: 'a b', fields: { list: '[a b c]', n: 3 } },
    { severity: 6 },
  ),
];
