import { AT, reads } from '../support/reads.ts';

reads('glog', {}, [
  [
    'E0305 13:07:59.250000    1 a/b.go:7] "Failed" err="x y"\nmore',
    { ...AT, Severity: 3, Pid: 1, source: 'a/b.go', source_line: 7, err: 'x y', Payload: 'Failed\nmore' },
  ],
  [
    'I0305 13:07:59.250000    1 a.go:7] "said \\"x\\"" pod="kube-system/dns" n=2 ok=true',
    { ...AT, Severity: 6, Pid: 1, source: 'a.go', source_line: 7, pod: 'kube-system/dns', n: 2, ok: true, Payload: 'said "x"' },
  ],
  ['I0305 13:07:59.250000 1 a.go:7] "x" is y=1', { ...AT, Severity: 6, Pid: 1, source: 'a.go', source_line: 7, Payload: '"x" is y=1' }],
  ['I0305 13:07:59.250000 1 a.go:7] x y=1', { ...AT, Severity: 6, Pid: 1, source: 'a.go', source_line: 7, Payload: 'x y=1' }],
  ['I1332 13:07:59.250000 1 a.go:7] x', 'refused: no date that there is'],
  ['D0305 13:07:59.250000 1 a.go:7] x', 'refused: no level, date and source of glog'],
]);
