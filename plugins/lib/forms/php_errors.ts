/** Records of PHP and PHP-FPM. */
import type { RecordForms } from '../pattern_decoder.ts';

const KINDS: Readonly<Record<string, number>> = {
  'Fatal error': 2,
  'Recoverable fatal error': 2,
  'Catchable fatal error': 2,
  'Parse error': 3,
  'Core error': 2,
  'Compile error': 2,
  Warning: 4,
  'Core Warning': 4,
  'Compile Warning': 4,
  Notice: 5,
  'Strict Standards': 5,
  Deprecated: 6,
};
const TIME = String.raw`^\[(?<time>\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d(?:\.\d+)?(?: [\w/+:-]+)?)\] `;

export const PHP: RecordForms = {
  patterns: [
    String.raw`${TIME}PHP (?<level>${Object.keys(KINDS).join('|')}):  ?(?<message>.*?(?: in (?<source>\S+?)(?: on line |:)(?<source_line>\d+)(?!\S).*)?)$`,
    String.raw`${TIME}(?<level>ALERT|ERROR|WARNING|NOTICE|DEBUG): (?:\[pool (?<pool>[^\]]*)\] )?(?<message>.*)$`,
    String.raw`${TIME}(?<message>.*)$`,
  ].map((pattern) => new RegExp(pattern, 's')),
  levels: KINDS,
  numbers: { source_line: '' },
  hosts: [],
  refusal: 'no date of PHP',
  further: ({ level = '' }) => (Object.hasOwn(KINDS, level) ? [{ name: 'error', value: level }] : []),
};
