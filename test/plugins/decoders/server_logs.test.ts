/** Decoders of logs of servers and programs, with the variants that these really write. */
import { describe, expect, test } from 'vitest';
import { decoder, READ_AT, type Decoded } from '../support/decode.ts';

const AT = { Timestamp: '1614949679250000000' };
const WHOLE = { Timestamp: '1614949679000000000' };

function reads(name: string, rows: readonly (readonly [record: string, expected: Decoded | string])[], config = {}): void {
  describe(name, () => {
    const decode = decoder(name, config);
    test.each(rows)('%j', (record, expected) => {
      expect(decode(record)).toEqual(expected);
    });
  });
}

reads('program_log', [
  [
    '2021-03-05 13:07:59.250 [main] INFO  org.example.Shop - open',
    { ...AT, Severity: 6, Logger: 'org.example.Shop', thread: 'main', Payload: 'open' },
  ],
  [
    '2021-03-05T14:07:59.250+01:00  INFO 7 --- [shop] [nio-80-exec-1] o.e.Shop : a: b',
    { ...AT, Severity: 6, Pid: 7, Logger: 'o.e.Shop', thread: 'nio-80-exec-1', Payload: 'a: b' },
  ],
  [
    '05-Mar-2021 13:07:59.250 SEVERE [main] org.apache.catalina.startup.Catalina.start Server startup failed',
    { ...AT, Severity: 3, Logger: 'org.apache.catalina.startup.Catalina.start', thread: 'main', Payload: 'Server startup failed' },
  ],
  [
    '[2021-03-05 13:07:59,250] INFO [KafkaServer id=0] started (kafka.server.KafkaServer)',
    {
      ...AT,
      Severity: 6,
      Logger: 'kafka.server.KafkaServer',
      thread: 'KafkaServer id=0',
      Payload: 'started (kafka.server.KafkaServer)',
    },
  ],
  [
    '[2021-03-05T13:07:59,250][WARN ][o.e.n.Node               ] [node1] started',
    { ...AT, Severity: 4, Logger: 'o.e.n.Node', Payload: '[node1] started' },
  ],
  [
    '2021-03-05 13:07:59,250 [myid:1] - INFO  [main:QuorumPeerConfig@117] - Reading',
    { ...AT, Severity: 6, thread: 'main:QuorumPeerConfig@117', Payload: 'Reading' },
  ],
  [
    '2021-03-05 14:07:59.250 +01:00 [ERR] Unhandled\nSystem.Exception: x\n   at A.B()',
    { ...AT, Severity: 3, Payload: 'Unhandled\nSystem.Exception: x\n   at A.B()' },
  ],
  ['[2021-03-05T14:07:59.250000+01:00] app.CRITICAL: boom {"a":1} []', { ...AT, Severity: 2, Logger: 'app', Payload: 'boom {"a":1} []' }],
  [
    'I, [2021-03-05T13:07:59.250123 #4123]  INFO -- : Started GET "/"',
    { Timestamp: '1614949679250123000', Severity: 6, Pid: 4123, Payload: 'Started GET "/"' },
  ],
  ['[2021-03-05 13:07:59 +0000] [4123] [INFO] Booting worker', { ...WHOLE, Severity: 6, Pid: 4123, Payload: 'Booting worker' }],
  ['[2021-03-05 13:07:59,250] {dag.py:12} WARNING - late', { ...AT, Severity: 4, source: 'dag.py:12', Payload: 'late' }],
  ['[2021-03-05T13:07:59Z INFO  shop::cart] added', { ...WHOLE, Severity: 6, Logger: 'shop::cart', Payload: 'added' }],
  ['2021-03-05T13:07:59.250000Z  WARN shop::cart: late', { ...AT, Severity: 4, Logger: 'shop::cart', Payload: 'late' }],
  ['2021-03-05T13:07:59.250Z\tERROR\tcart/add.go:12\tfull', { ...AT, Severity: 3, source: 'cart/add.go:12', Payload: 'full' }],
  [
    '2021-03-05 13:07:59 0 [Note] InnoDB: Buffer pool(s) load completed',
    { ...WHOLE, Severity: 5, thread: '0', Logger: 'InnoDB', Payload: 'Buffer pool(s) load completed' },
  ],
  [
    '2021-03-05T13:07:59.250000Z 0 [System] [MY-010931] [Server] ready',
    { ...AT, Severity: 6, thread: '0', code: 'MY-010931', Logger: 'Server', Payload: 'ready' },
  ],
  [
    'INFO  2021-03-05 13:07:59,250 [main] org.example.Shop - open',
    { ...AT, Severity: 6, Logger: 'org.example.Shop', thread: 'main', Payload: 'open' },
  ],
  ['[ERROR] 2021-03-05 13:07:59.250 full', { ...AT, Severity: 3, Payload: 'full' }],
  ['2021-03-05 13:07:59.250 | INFO     | shop.cart:add:12 - full', { ...AT, Severity: 6, source: 'shop.cart:add:12', Payload: 'full' }],
  [
    '2021-03-05T13:07:59.250Z | WARN  | worker-1   | org.example.Shop | slow',
    { ...AT, Severity: 4, thread: 'worker-1', Logger: 'org.example.Shop', Payload: 'slow' },
  ],
  ['[2021-03-05 13:07:59.250] [shop] [warning] slow', { ...AT, Severity: 4, Logger: 'shop', Payload: 'slow' }],
  [
    '[2021-03-05T13:07:59.250Z tomcat-http--1   ERROR org.example.Shop  opId=] slow',
    { ...AT, Severity: 3, thread: 'tomcat-http--1', Logger: 'org.example.Shop', Payload: 'slow' },
  ],
  [
    '2021-03-05 13:07:59,250 INFO  namenode.NameNode (LogAdapter.java:info(51)) - up',
    { ...AT, Severity: 6, Logger: 'namenode.NameNode', source: 'LogAdapter.java:info(51)', Payload: 'up' },
  ],
  [
    '2021-03-05 13:07:59,250 fail2ban.actions        [812]: NOTICE  [sshd] Ban 192.0.2.1',
    { ...AT, Severity: 5, Pid: 812, Logger: 'fail2ban.actions', Payload: '[sshd] Ban 192.0.2.1' },
  ],
  ['2021-03-05 13:07:59,250:DEBUG:certbot.main:version 1.12', { ...AT, Severity: 7, Logger: 'certbot.main', Payload: 'version 1.12' }],
  ['2021-03-05 13:07:59,250 - util.py[DEBUG]: Cloud-init', { ...AT, Severity: 7, source: 'util.py', Payload: 'Cloud-init' }],
  ['2021-03-05T13:07:59.250+0000 I NETWORK  [conn1] end', { ...AT, Severity: 6, Logger: 'NETWORK', thread: 'conn1', Payload: 'end' }],
  ['[4123] 2021/03/05 13:07:59.250000 [INF] Starting', { ...AT, Severity: 6, Pid: 4123, Payload: 'Starting' }],
  ['2021/03/05 13:07:59 listening on :80', { ...WHOLE, Payload: 'listening on :80' }],
  ['2021-03-05 13:07:59,250 something happened', { ...AT, Payload: 'something happened' }],
  ['2021-03-05 13:07:59,250 Information is power', { ...AT, Payload: 'Information is power' }],
  [
    'INFO  [CompactionExecutor:1] 2021-03-05 13:07:59,250 StorageService.java:653 - up',
    { ...AT, Severity: 6, thread: 'CompactionExecutor:1', source: 'StorageService.java:653', Payload: 'up' },
  ],
  ['[2021-03-05 13:07:59,250: WARNING/ForkPoolWorker-1] late', { ...AT, Severity: 4, thread: 'ForkPoolWorker-1', Payload: 'late' }],
  [
    '2021-03-05 13:07:59.250 \u001b[32m INFO\u001b[0;39m \u001b[35m7\u001b[0;39m \u001b[2m---\u001b[0;39m \u001b[2m[  main]\u001b[0;39m \u001b[36mo.e.Shop\u001b[0;39m \u001b[2m:\u001b[0;39m open',
    { ...AT, Severity: 6, Pid: 7, Logger: 'o.e.Shop', thread: 'main', Payload: 'open' },
  ],
  ['2021-03-05 25:07:59,250 INFO x', 'refused: no date that there is'],
  ['A, [2021-03-05T13:07:59.250 #4123]   ANY -- shop: open', { ...AT, Pid: 4123, Logger: 'shop', Payload: 'open' }],
  ['2021-03-05 13:07:59.250 | SUCCESS  | shop.till:open:7 - open', { ...AT, Severity: 5, source: 'shop.till:open:7', Payload: 'open' }],
  [
    '[2021-03-05T13:07:59,250][DEPRECATION][o.e.d.c.s.Settings ] [node1] old',
    { ...AT, Severity: 4, Logger: 'o.e.d.c.s.Settings', Payload: '[node1] old' },
  ],
  ['2021-03-05T13:07:59.250+0000 D2 NETWORK  [conn1] sent', { ...AT, Severity: 7, Logger: 'NETWORK', thread: 'conn1', Payload: 'sent' }],
  [
    '2021-03-05 14:07:59.250000+0100 0x1234     Default     0x0                  123    0    kernel: (AppleACPI) hello',
    { ...AT, Severity: 5, Pid: 123, Logger: 'kernel', thread: '0x1234', Payload: '(AppleACPI) hello' },
  ],
  [
    '2021-03-05 14:07:59.250000+0100 0x1f       Fault       0x2b                 7      14   Google Chrome He: [com.apple.x:y] no',
    { ...AT, Severity: 2, Pid: 7, Logger: 'Google Chrome He', thread: '0x1f', Payload: '[com.apple.x:y] no' },
  ],
  ['hello', 'refused: no date at the start'],
]);

const UNDATED = { Timestamp: String(READ_AT), undated: true };
const SAMBA = '../source3/smbd/server.c:1789(main)';

reads('generic', [
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
  ['ERRO[0013] no till  shop=7', { ...UNDATED, Severity: 3, uptime: [13, 's'], Payload: 'no till  shop=7' }],
  ['WARN[12345] slow', { ...UNDATED, Severity: 4, uptime: [12345, 's'], Payload: 'slow' }],
  [`[2021/03/05 13:07:59.250000,  0] ${SAMBA}\n  smbd started`, { ...AT, Severity: 3, source: SAMBA, Payload: '  smbd started' }],
  [
    `[2021/03/05 13:07:59.250000,  3, pid=4123, effective(0, 0), real(0, 0), class=auth] ${SAMBA}\n  x`,
    { ...AT, Severity: 5, Pid: 4123, Logger: 'auth', source: SAMBA, Payload: '  x' },
  ],
  ['=ERROR REPORT==== 5-Mar-2021::13:07:59 ===\nno queue', { ...WHOLE, Severity: 3, context: '=ERROR REPORT', Payload: 'no queue' }],
  ['20210305-0:1:9:5|Step_LSC|30002312|walked', { Timestamp: '1614902469005000000', Pid: 30002312, Logger: 'Step_LSC', Payload: 'walked' }],
]);

reads('container_log', [
  [
    '2021-03-05T13:07:59.250000001Z stdout P {"level":"err\n2021-03-05T13:08:00.5Z stdout P or","msg"\r\n2021-03-05T13:08:00.75Z stdout F :"no"}\n',
    { Timestamp: '1614949679250000001', Severity: 3, Payload: 'no', stream: 'stdout' },
  ],
  [
    '2021-03-05T13:07:59.250000001Z stdout P a\n2021-03-05T13:08:00.5Z stdout P b',
    { Timestamp: '1614949679250000001', Payload: 'ab', stream: 'stdout', partial: true },
  ],
  ['2021-03-05T13:07:59.250000001Z stdout P a\nx', 'refused: neither a line of CRI nor of json-file'],
  ['2021-03-05T13:07:59.250000000Z stdout F ', { ...AT, stream: 'stdout', Payload: '' }],
  ['2021-03-05T13:07:59.250000000Z stderr P:x a b\n', { ...AT, stream: 'stderr', partial: true, Payload: 'a b' }],
  ['{"log":"a\\r\\n","stream":"stderr","time":"2021-03-05T13:07:59.25Z"}', { ...AT, stream: 'stderr', Payload: 'a' }],
  ['{"log":"a","stream":"stdout","time":"2021-03-05T13:07:59.25Z"}', { ...AT, stream: 'stdout', partial: true, Payload: 'a' }],
  ['{"log":"a\\n","stream":"stdout","time":"later"}', 'refused: no date that there is'],
  ['2021-03-05T13:07:59.25Z stdin F x', 'refused: neither a line of CRI nor of json-file'],
  ['{"log":', 'refused: neither a line of CRI nor of json-file'],
]);

reads('redis', [
  [
    '1:C 05 Mar 2021 13:07:59.250 # oO0OoO0OoO0Oo Redis is starting',
    { ...AT, Severity: 4, Pid: 1, role: 'C', Payload: 'oO0OoO0OoO0Oo Redis is starting' },
  ],
  ['12:X 05 Mar 2021 13:07:59.250 - x', { ...AT, Severity: 7, Pid: 12, role: 'X', Payload: 'x' }],
  [
    '12:S 05 Mar 13:07:59.250 * MASTER <-> REPLICA sync started',
    { ...AT, Severity: 5, Pid: 12, role: 'S', Payload: 'MASTER <-> REPLICA sync started' },
  ],
  ['[12 | signal handler] (1614949679) Received SIGTERM', { ...WHOLE, Pid: 12, Payload: 'Received SIGTERM' }],
  ['1:signal-handler (1614949679) Received SIGTERM', { ...WHOLE, Pid: 1, Payload: 'Received SIGTERM' }],
  ['12:M soon', 'refused: no process, date and level of Redis'],
]);

reads('haproxy', [
  [
    'fe80::1:33317 [05/Mar/2021:13:07:59.250] https~ web/<NOSRV> 0/-1/-1/-1/+5 -1 +0 - - CR-- 2/1/0/0/+2 0/0 {a|} "<BADREQ>"',
    {
      ...{
        ...AT,
        frontend: 'https~',
        backend: 'web',
        server: '<NOSRV>',
        time_request: [0, 'ms'],
        time_queue: [-1, 'ms'],
        time_connect: [-1, 'ms'],
      },
      ...{
        time_response: [-1, 'ms'],
        time_total: [5, 'ms'],
        status: -1,
        bytes_read: [0, 'B'],
        termination_state: 'CR--',
        actconn: 2,
        feconn: 1,
      },
      ...{ beconn: 0, srv_conn: 0, retries: 2, srv_queue: 0, backend_queue: 0, captured_request_headers: 'a|', request: '<BADREQ>' },
      ...{ remote_addr: ['fe80::1', 'ipv6'], remote_port: 33317 },
    },
  ],
  [
    '<134>Mar  5 13:07:59 box1 haproxy[7]: Proxy web started.',
    { ...WHOLE, Hostname: 'box1', Pid: 7, programname: 'haproxy', Payload: 'Proxy web started.' },
  ],
  ['haproxy[7]: x', 'refused: no client and date of HAProxy'],
]);

reads('postgresql', [
  [
    '2021-03-05 13:07:59.250 UTC [1] LOG:  database system is ready to accept connections\n',
    { ...AT, Severity: 6, Pid: 1, Payload: 'database system is ready to accept connections' },
  ],
  [
    '2021-03-05 08:07:59.250 EST [1] [unknown]@[unknown] FATAL:  password authentication failed',
    { ...AT, Severity: 2, Pid: 1, user: '[unknown]', database: '[unknown]', Payload: 'password authentication failed' },
  ],
  [
    '2021-03-05 13:07:59.250 GMT [1]: [2-1] user=a,db=b,app=[unknown],client=[local] DETAIL:  x',
    {
      ...AT,
      Pid: 1,
      session_line: '2-1',
      user: 'a',
      database: 'b',
      application_name: '[unknown]',
      level: 'DETAIL',
      remote_addr: ['local', 'hostname'],
      Payload: 'x',
    },
  ],
  [
    '2021-03-05 13:07:59 UTC::@:[7]:LOG:  checkpoint starting: time',
    { ...WHOLE, Severity: 6, Pid: 7, Payload: 'checkpoint starting: time' },
  ],
  ['2021-03-05 13:07:59.250 UTC [1] PANIC:  x', { ...AT, Severity: 0, Pid: 1, Payload: 'x' }],
  ['2021-03-05 13:07:59.250 UTC [1] LOUD:  x', 'refused: no date, process and level of PostgreSQL'],
]);

reads('glog', [
  [
    'E0305 13:07:59.250000    1 a/b.go:7] "Failed" err="x y"\nmore',
    { ...AT, Severity: 3, Pid: 1, source: 'a/b.go', source_line: 7, Payload: '"Failed" err="x y"\nmore' },
  ],
  ['I1332 13:07:59.250000 1 a.go:7] x', 'refused: no date that there is'],
  ['D0305 13:07:59.250000 1 a.go:7] x', 'refused: no level, date and source of glog'],
]);

reads('php_error', [
  [
    '[05-Mar-2021 13:07:59 UTC] PHP Deprecated:  x() is old in phar:///srv/a.phar/b.php on line 7',
    {
      ...WHOLE,
      Severity: 6,
      error: 'Deprecated',
      source: 'phar:///srv/a.phar/b.php',
      source_line: 7,
      Payload: 'x() is old in phar:///srv/a.phar/b.php on line 7',
    },
  ],
  [
    '[05-Mar-2021 13:07:59 America/New_York] PHP Parse error:  syntax error',
    { Timestamp: '1614967679000000000', Severity: 3, error: 'Parse error', Payload: 'syntax error' },
  ],
  ['[05-Mar-2021 13:07:59] NOTICE: fpm is running, pid 1', { ...WHOLE, Severity: 5, Payload: 'fpm is running, pid 1' }],
  ['[05-Mar-2021 13:07:59 Mars/Olympus] x', 'refused: no date that there is'],
]);

reads('squid_access', [
  [
    '1614949679.250 -1 192.0.2.1 NONE/400 0 - error:invalid-request - HIER_NONE/- text/html',
    {
      ...{ ...AT, request_time: [-1, 'ms'], remote_addr: ['192.0.2.1', 'ipv4'], cache_status: 'NONE', status: 400, bytes_sent: [0, 'B'] },
      ...{ request_uri: 'error:invalid-request', hierarchy: 'HIER_NONE', sent_http_content_type: 'text/html' },
    },
  ],
]);

reads('journal_export', [
  ['__REALTIME_TIMESTAMP=1614949679250000\nMESSAGE=\nPRIORITY=3\n_PID=x\n', { ...AT, Severity: 3, Payload: '', _PID: 'x' }],
  ['MESSAGE=x\n', 'refused: no __REALTIME_TIMESTAMP'],
]);

describe('w3c_extended', () => {
  test('takes the names from the source, and new ones from then on', () => {
    const decode = decoder('w3c_extended');
    expect(decode('2021-03-05 13:07:59')).toBe('refused: no line #Fields: before it');
    for (const line of ['#Software: Microsoft Internet Information Services 10.0\r\n', '#Fields: date time c-ip cs(Cookie)\r\n']) {
      expect(decode(line)).toBe('passed on');
    }
    expect(decode('2021-03-05 13:07:59 192.0.2.1 "a ""b"" c"\r\n')).toEqual({
      ...WHOLE,
      remote_addr: ['192.0.2.1', 'ipv4'],
      http_cookie: 'a "b" c',
    });
    expect(decode('#fields: time x-note')).toBe('passed on');
    expect(decode('13:07:59 -')).toEqual({});
    expect(decode('13:07:59')).toBe('refused: 1 values for 2 fields');
  });

  test('values that tabs separate may hold blanks or be empty', () => {
    const decode = decoder('w3c_extended', { fields: 'date\ttime\tx-note\tcs(Cookie)\tsc-status' });
    expect(decode('2021-03-05\t13:07:59\ta b\t"c"\t200\r\n')).toEqual({ ...WHOLE, x_note: 'a b', http_cookie: 'c', status: 200 });
    expect(decode('2021-03-05\t13:07:59\t\t\t200')).toEqual({ ...WHOLE, status: 200 });
    expect(decode('2021-03-05\t13:07:59\ta\t200')).toBe('refused: 4 values for 5 fields');
  });

  test.each(['#Date: 2021-03-05 00:00:00\r\n', '#Date: 05-Mar-2021 00:00:00', '\ufeff#date:2021-03-05'])(
    'a time of the day of %j',
    (directive) => {
      const decode = decoder('w3c_extended', { fields: 'time sc-status' });
      expect(decode('13:07:59 200')).toEqual({ status: 200 });
      expect(decode(directive)).toBe('passed on');
      expect(decode('13:07:59 200')).toEqual({ ...WHOLE, status: 200 });
      expect(decode('- 200')).toEqual({ status: 200 });
      expect(decode('25:07:59 200')).toBe('refused: no date that there is');
    },
  );

  test('a date of the line counts more than that of the source', () => {
    const decode = decoder('w3c_extended', { fields: 'date time' });
    expect(decode('#Date: 2020-01-01 00:00:00')).toBe('passed on');
    expect(decode('2021-03-05 13:07:59')).toEqual(WHOLE);
  });

  test('a date that there is not', () => {
    expect(decoder('w3c_extended', { fields: 'date time' })('2021-13-05 13:07:59')).toBe('refused: no date that there is');
  });
});
