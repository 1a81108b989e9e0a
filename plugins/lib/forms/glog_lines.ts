/** Lines of glog and klog. */
import { SHORT_MONTHS } from '../../base/dates.ts';
import type { RecordForms } from '../pattern_decoder.ts';

export const GLOG: RecordForms = {
  patterns: [
    /^(?<level>[IWEF])(?<_year>\d{4})?(?<_month>\d\d)(?<_day>\d\d) (?<time>\d\d:\d\d:\d\d\.\d{6}) +(?<process>\d+) (?<source>[^\s:]+):(?<source_line>\d+)\] (?<message>.*)$/s,
  ],
  levels: { I: 6, W: 4, E: 3, F: 2 },
  numbers: { source_line: '' },
  hosts: [],
  refusal: 'no level, date and source of glog',
  refine: ({ _year: year, _month: month = '', _day: day = '', time = '', ...groups }) => ({
    ...groups,
    time: year === undefined ? `${SHORT_MONTHS[Number(month) - 1] ?? '?'} ${day} ${time}` : `${year}-${month}-${day} ${time}`,
  }),
};
