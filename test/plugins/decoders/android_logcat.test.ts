import { AT, reads } from '../support/reads.ts';

reads('android_logcat', { tz: '+01:00' }, [
  [
    '03-05 14:07:59.250  1000  1234  5678 E Tag with blanks  : a: b',
    { ...AT, Severity: 3, uid: '1000', Pid: 1234, tid: 5678, Logger: 'Tag with blanks', Payload: 'a: b' },
  ],
  ['03-05 14:07:59.250  root  1234  5678 V T: ', { ...AT, Severity: 7, uid: 'root', Pid: 1234, tid: 5678, Logger: 'T', Payload: '' }],
  ['03-05 13:07:59.250 +0000  1234  5678 F T: x', { ...AT, Severity: 2, Pid: 1234, tid: 5678, Logger: 'T', Payload: 'x' }],
  [
    '2021-03-05 14:07:59.250123  1  2 I T: x\r\n',
    { Timestamp: '1614949679250123000', Severity: 6, Pid: 1, tid: 2, Logger: 'T', Payload: 'x' },
  ],
  ['  1614949679.250  1  2 I T: x', { ...AT, Severity: 6, Pid: 1, tid: 2, Logger: 'T', Payload: 'x' }],
  [
    '03-05 14:07:59.250 D/Headset( 1785): Disconnected: 10',
    { ...AT, Severity: 7, Pid: 1785, Logger: 'Headset', Payload: 'Disconnected: 10' },
  ],
  [
    '[ 03-05 14:07:59.250  1785: 1832 A/libc ]\nFatal signal 11\n\n\n',
    { ...AT, Severity: 2, Pid: 1785, tid: 1832, Logger: 'libc', Payload: 'Fatal signal 11' },
  ],
  ['I(  596: 604) Starting  (ActivityManager)', { Severity: 6, Pid: 596, tid: 604, Payload: 'Starting  (ActivityManager)' }],
  ['D/dalvikvm: GC freed', { Severity: 7, Logger: 'dalvikvm', Payload: 'GC freed' }],
  ['--------- beginning of crash', { buffer: 'crash' }],
  ['13-05 14:07:59.250  1  2 I T: x', 'refused: no date that there is'],
  ['03-05 14:07:59.250 x', 'refused: no level of logcat'],
]);
