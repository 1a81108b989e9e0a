import { AT, reads, WHOLE } from '../support/reads.ts';

reads('redis', {}, [
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
