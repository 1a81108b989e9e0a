/** Lines of Redis. */
import type { RecordForms } from '../pattern_decoder.ts';

export const REDIS: RecordForms = {
  patterns: [
    /^(?:(?<process>\d+):(?<role>[A-Z])|\[(?<_old>\d+)[^\]]*\]) (?<time>\d\d [A-Z][a-z]{2}(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d+)?) (?<level>[.*#-]) (?<message>.*)$/s,
    /^(?:(?<process>\d+):signal-handler|\[(?<_old>\d+) \| signal handler\]) \((?<time>\d{9,10})\) (?<message>.*)$/s,
  ],
  levels: { '.': 7, '-': 7, '*': 5, '#': 4 },
  numbers: {},
  hosts: [],
  refusal: 'no process, date and level of Redis',
  refine: ({ time = '', process, _old: old, ...groups }) => ({
    ...groups,
    time: time.replace(/^(\d\d) (\w{3}) (?=\d\d:)/, '$2 $1 '),
    process: process ?? old,
  }),
};
