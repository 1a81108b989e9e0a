import { AT, reads } from '../support/reads.ts';

reads('container_log', {}, [
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
