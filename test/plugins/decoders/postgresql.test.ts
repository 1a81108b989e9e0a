import { AT, reads, WHOLE } from '../support/reads.ts';

reads('postgresql', {}, [
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
