import { AT, reads } from '../support/reads.ts';

reads('glog', {}, [
  [
    'E0305 13:07:59.250000    1 a/b.go:7] "Failed" err="x y"\nmore',
    { ...AT, Severity: 3, Pid: 1, source: 'a/b.go', source_line: 7, Payload: '"Failed" err="x y"\nmore' },
  ],
  ['I1332 13:07:59.250000 1 a.go:7] x', 'refused: no date that there is'],
  ['D0305 13:07:59.250000 1 a.go:7] x', 'refused: no level, date and source of glog'],
]);
