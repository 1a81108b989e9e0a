import { AT, reads, WHOLE } from '../support/reads.ts';

reads('program_log', {}, [
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
  ['2021-03-05 01:07:59.250 PM ERROR no', { ...AT, Severity: 3, Payload: 'no' }],
  ['2021-03-05 01:07:59 p.m. ERROR no', { ...WHOLE, Severity: 3, Payload: 'no' }],
  ['2021-03-05 13:07:59 am Tor', { ...WHOLE, Payload: 'am Tor' }],
  ['2021-03-05 14:07:59 (CET) ERROR no', { ...WHOLE, Severity: 3, Payload: 'no' }],
  ['[2021-03-05 16:07:59 MSK] ERROR: no', { ...WHOLE, Severity: 3, Payload: 'no' }],
  ['2021-03-05 14:07:59 [Europe/Berlin] ERROR no', { ...WHOLE, Severity: 3, Payload: 'no' }],
  ['2021-03-05 13:07:59,250 [main] trace id 7 seen', { ...AT, thread: 'main', Payload: 'trace id 7 seen' }],
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
