/** Lines of npm and its relatives. */
import type { RecordForms } from '../pattern_decoder.ts';

const LEVELS: Readonly<Record<string, number>> = {
  'ERR!': 3,
  error: 3,
  WARN: 4,
  warn: 4,
  notice: 5,
  info: 6,
  timing: 7,
  http: 7,
  verb: 7,
  verbose: 7,
  sill: 7,
  silly: 7,
};
const UNDATED = [{ name: 'undated', value: true }];

export const NPM: RecordForms = {
  patterns: [new RegExp(`^(?<logger>npm|pnpm|gyp|node-pre-gyp) (?<level>${Object.keys(LEVELS).join('|')})(?: (?<message>.*)|$)`, 's')],
  levels: LEVELS,
  numbers: {},
  hosts: [],
  further: () => UNDATED,
  refusal: 'no level of npm',
};
