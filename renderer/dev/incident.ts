/** Marks, an incident and a difference for the window without an engine. */
import type { Difference, IncidentText, Mark } from '../../engine/api/types.ts';

export const MARKS: readonly Mark[] = [120, 4800, 5200].map((record, i) => ({
  key: i + 1,
  record,
  label: 'access.log',
  time: 1_763_618_400_000 + i * 61_000,
  text: '192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /checkout HTTP/1.1" 504 12',
  note: i === 1 ? '' : 'the first timeout after the deploy',
}));

export const INCIDENT: IncidentText = {
  title: 'Checkout answers 504',
  summary: 'It began with the deploy of 10:00. The pool of connections to the database was empty.',
  from: null,
  to: null,
  difference: { title: 'Before and after 10:00', sentences: ['status 504: 0.1 % of A, 8.2 % of B', 'upstream_addr 10.0.0.7:8080 is new'] },
};

export const DIFFERENCE: Difference = {
  rows: [
    {
      kind: 'value',
      text: 'new: status 502: none of A, 8.2 % of B',
      variable: 'Fields[status]',
      a: { count: 0, share: 0 },
      b: { count: 82, share: 0.082 },
      lift: Infinity,
      chance: 1e-9,
      score: 2,
      filter: 'Fields[status] == 502',
      causes: [{ text: 'upstream_addr 10.0.0.7:8080', filter: "Fields[upstream_addr] == '10.0.0.7:8080'", share: 0.97, others: 0.12 }],
      also: ['level Error: 0.1 % of A, 8.3 % of B'],
    },
  ],
  a: { records: 1000, from: 0, to: 1 },
  b: { records: 1000, from: 1, to: 2 },
  tests: 120,
  skipped: ['request_id'],
  done: 1,
  complete: true,
};
