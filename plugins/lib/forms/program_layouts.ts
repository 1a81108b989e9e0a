/** Default layouts of logging libraries and programs. */
import { zoneHours } from '../../base/zone_names.ts';
import { ZONE_BEHIND } from '../../base/time/time_shapes.ts';
import type { LogField } from '../../modules/table_writer.ts';
import { HeaderGroups } from '../header/header_groups.ts';
import { ConsoleFields, type PairStyle } from '../inner/console_fields.ts';
import type { Groups, RecordForms } from '../pattern_decoder.ts';

const LEVEL =
  '(?<level>TRACE|TRC|DEBUG|DBG|INFO|INF|INFORMATION|NOTICE|NOTE|WARN|WARNING|WRN|ERROR|ERR|EROR|SEVERE|CRIT|CRITICAL|FATAL|FTL|ALERT|EMERG|EMERGENCY|PANIC|FINE|FINER|FINEST|CONFIG|VERBOSE|VRB|SUCCESS|DEPRECATION|System)';
/** A word behind a time that may be the short name of a zone; `wordBehind` gives back the others. */
const ZONE_LIKE = String.raw`(?:[ABCEHJKMNPSW][A-Z]{1,3}T|MSK|MESZ|MEZ|WIB)(?=[ \]])|\((?:[ABCEHJKMNPSW][A-Z]{1,3}T|MSK)\)(?= )`;
/** AM, PM, a.m. or p.m. behind a time; `wordBehind` gives back what follows an hour of the afternoon. */
const HALF_DAY = String.raw`[ \u202f][ap]\.?m\b\.?`;
const DATE = String.raw`(?<time>\d{4}[-/.]\d\d[-/.]\d\d(?:[T ]\d\d|  \d):\d\d:\d\d(?:[.,]\d{1,9}|:\d{6}(?!\d))?(?:${ZONE_BEHIND}| (?:${ZONE_LIKE})|${HALF_DAY})?|\d\d[ -][A-Z][a-z]{2}[ -]\d{4} \d\d:\d\d:\d\d(?:[.,]\d{1,9})?)`;
const HEAD = String.raw`^\[?${DATE}\]?`;
const THREAD = String.raw`\[ {0,60}(?<thread>[^\]]*)\]`;
/** A class, module or path. It contains a point or two colons, so that it cannot be a word of the message. */
const LOGGER = String.raw`(?<logger>[\w$]+(?:(?:\.|::|/)[\w$-]+)+)`;
const MESSAGE = '(?<message>.*)$';

/** White space has its bounds, so that no record takes long. */
const LAYOUTS = [
  String.raw`^\[${DATE} ${LEVEL} {1,60}(?<logger>[\w:]+)\] ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${LEVEL} (?<process>\d+) --- (?:\[[^\]]*\] )*?${THREAD} (?<logger>\S+)\s{0,60}: ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${LEVEL} {1,60}${THREAD} ${LOGGER}(?: -|:)? ${MESSAGE}`,
  String.raw`${HEAD}\[${LEVEL} {0,9}\]\[(?<logger>[^\]]*?) {0,60}\] ?${MESSAGE}`,
  String.raw`${HEAD} (?<thread>\d+) \[${LEVEL}\] (?:\[(?<code>[A-Z]+-\d+)\] \[(?<logger>[\w-]+)\] )?${MESSAGE}`,
  String.raw`${HEAD} \[myid:[^\]]*\] - ${LEVEL} {1,60}\[(?<thread>[^\n]*?)\] - ${MESSAGE}`,
  String.raw`${HEAD} \[(?<process>\d+)\] \[${LEVEL}\] ${MESSAGE}`,
  String.raw`${HEAD} \{(?<source>[^}]*)\} ${LEVEL} - ${MESSAGE}`,
  String.raw`${HEAD} - (?<logger>\S+) - ${LEVEL} - ${MESSAGE}`,
  String.raw`${HEAD} - (?<source>[^\s[]+)\[${LEVEL}\]: ${MESSAGE}`,
  String.raw`${HEAD}:${LEVEL}:(?<logger>[\w.]+):${MESSAGE}`,
  String.raw`${HEAD} (?<logger>[\w.-]+)\s{1,60}\[(?<process>\d+)\]: ${LEVEL}\s{1,60}${MESSAGE}`,
  // log show of macOS.
  String.raw`${HEAD} (?<thread>0x[\da-f]+)\s{1,60}(?<level>Default|Info|Debug|Error|Fault)\s{1,60}0x[\da-f]+\s{1,60}(?<process>\d+)\s{1,60}\d+\s{1,60}(?<logger>[^\n:]{1,80}): ${MESSAGE}`,
  String.raw`${HEAD} (?<level>Df|Db|[IEF]) {1,2}(?<logger>[^[\n]{1,80})\[(?<process>\d+):(?<thread>[\da-f]+)\] ${MESSAGE}`,
  // Asterisk's levels that no other program has.
  String.raw`${HEAD} (?<level>SECURITY|DTMF)\[(?<process>\d+)\](?:\[(?<thread>C-[\da-f]+)\])? (?<logger>[\w.-]+\.c): ${MESSAGE}`,
  String.raw`${HEAD} (?<level>[DIWEF])\d?\s{1,60}(?:(?<logger>[A-Z_]+)|-)\s{1,60}${THREAD} ${MESSAGE}`,
  String.raw`^\[(?<process>\d+)\] \[?${DATE}\]?(?: \[${LEVEL}\])? ${MESSAGE}`,
  String.raw`${HEAD}\s{0,60}\|\s{0,60}${LEVEL}\s{0,60}\|\s{0,60}(?<source>[^\s|]+) - ${MESSAGE}`,
  // ActiveMQ: the words, the class and the thread, perhaps a stack trace.
  String.raw`${HEAD} \| ${LEVEL}\s{0,60}\| (?<message>\S+ [^\n]*?) \| (?<logger>[\w$]+(?:\.[\w$-]+){2,})\s{0,60}\| (?<thread>main|ActiveMQ [^|\n]{1,80}|[^|\n]{1,60}[# -]\d{1,9})(?<trace>\n.*)?$`,
  String.raw`${HEAD}\s{0,60}\|\s{0,60}${LEVEL}\s{0,60}\|\s{0,60}(?<thread>[^|]*?)\s{0,60}\|\s{0,60}(?<logger>[^|]*?)\s{0,60}\|\s{0,60}${MESSAGE}`,
  String.raw`${HEAD} \[(?<logger>[^\]]+)\] \[${LEVEL}\] ${MESSAGE}`,
  String.raw`^\[${DATE}\s{1,60}(?<thread>[\w.-]+)\s{1,60}${LEVEL}\s{1,60}(?<logger>[\w.$]+)(?:\s{1,60}[^\]]*)?\] ?(?:- )?${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${LEVEL}\s{1,60}(?<logger>[\w.$]+) \((?<source>[^)]*\(\d+\))\) - ${MESSAGE}`,
  String.raw`${HEAD} (?<logger>[\w-]+)\.${LEVEL}: ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${THREAD} ${LEVEL} {1,60}(?<logger>[\w.$/-]+)(?: -|:) ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}\[?${LEVEL} {0,9}\]?:?\s{1,60}${LOGGER}(?: -|:) ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${LEVEL} \((?<thread>[^)\n]{1,80})\) \[(?<logger>[^\]\n]{1,80})\] ${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}(?<_open>\[?)${LEVEL}(?<_gap> {0,9}\]?:?(?:\s{1,60}-)?\s{1,60})${MESSAGE}`,
  String.raw`${HEAD}\s{1,60}${THREAD} (?<_open>)${LEVEL}(?<_gap>:? )${MESSAGE}`,
  String.raw`^[A-Z], \[${DATE} #(?<process>\d+)\] {1,60}(?:${LEVEL}|ANY) -- (?<logger>[^:]*): ${MESSAGE}`,
  String.raw`^\[${DATE}: ${LEVEL}/(?<thread>[^\]]*)\] ${MESSAGE}`,
  String.raw`^${LEVEL} {1,60}${THREAD} ${DATE} (?<source>\S+:\d+) - ${MESSAGE}`,
  String.raw`^\[ ?${LEVEL} {1,9}${DATE} (?<thread>[\w.-]+)\]\s{1,60}${MESSAGE}`,
  String.raw`^${LEVEL}:${DATE}:(?:(?<logger>[\w.]+):)? ?${MESSAGE}`,
  String.raw`^\[?${LEVEL} {0,9}\]?:?\s{1,60}\[?${DATE}\]?(?: ${THREAD})?(?: ${LOGGER}(?: -|:))?(?: -|:)? ${MESSAGE}`,
  // VMware: ESXi's syslog, and hostd and vpxd of old.
  String.raw`${HEAD} (?<level>Db|In|No|Wa|Er|Cr|Al|Em)\(\d{1,3}\)(?:\[\+\])? (?:(?<logger>[^\s:[\]]+)(?:\[(?<process>\d+)\])?: )?${MESSAGE}`,
  String.raw`^\[?${DATE} \[?(?<thread>[\dA-F]{8,16}) (?<level>verbose|trivia|info|warning|error|panic) '(?<logger>[^'\n]{0,200})'[^\]\n]{0,200}\] ?${MESSAGE}`,
  String.raw`${HEAD}:?(?: -)?\s{1,60}${MESSAGE}`,
];

const VMWARE_LEVELS = { Db: 7, In: 6, No: 5, Wa: 4, Er: 3, Cr: 2, Al: 1, Em: 0, trivia: 7 };

const WORD_BEHIND = / \(?([A-Za-z]{2,5})\)?$/;
const HALF_BEHIND = /[T ](?:0?[1-9]|1[0-2]):\S{5,16}?[ \u00a0\u202f]?[ap]\.?m\.?$/i;
const AFTERNOON = / [ap]\.?m\.?$/i;

/** @param options smallLevels: a level in small letters needs no mark */
export function programLayouts({ smallLevels }: { readonly smallLevels: boolean }): RecordForms {
  const header = new HeaderGroups({ smallLevels });
  const fields = new ConsoleFields();
  let found: readonly LogField[] = [];
  /** The groups without the fields behind the words, which are `found` then. */
  const withoutFields = (groups: Groups): Groups => {
    const { message = '' } = groups;
    const record = fields.read(message, message.includes('=') || groups['_open'] === '[' ? styleOf(groups) : null);
    found = record === null ? [] : record.fields;
    return record === null ? groups : { ...groups, message: record.words, logger: groups['logger'] ?? record.logger };
  };
  return {
    patterns: LAYOUTS.map((layout) => new RegExp(layout, 'is')),
    levels: { System: 6, Default: 5, Fault: 2, Df: 5, SECURITY: 5, DTMF: 7, ...VMWARE_LEVELS },
    numbers: { event_id: '' },
    hosts: [],
    refusal: 'no date at the start',
    refine: ({ time = '', trace = '', ...others }) => {
      const { _open, _gap } = others;
      const word = wordBehind(time);
      const groups = _open === '' && _gap === ' ' && !smallLevels ? withoutSentence(others) : others;
      const whole = header.completed(groups);
      const message = word.trimStart() + (word === '' ? '' : ' ') + (whole['message'] ?? '') + trace;
      return withoutFields({ ...whole, message, time: usualTime(time.slice(0, time.length - word.length)) });
    },
    further: () => found,
  };
}

/** Levels of zerolog and tint, of slog and charmbracelet's log, and of hclog. */
const LETTERS = /^[A-Z]{3}$/;
const CAPITALS = /^(?:DEBUG?|INFO|WARN|ERROR?|FATA)$/;
const SLASHED = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/;
const EXACT = /T\S+\.\d{3}(?:Z|[+-]\d{4})$/;
/** Characters between structlog's brackets. */
const PADDED = 9;

/** The library that wrote a record, by its header; null: none that writes pairs behind the words. */
function styleOf(groups: Groups): PairStyle | null {
  const { time = '', level = '', logger = '', _open = '', _gap = '' } = groups;
  if (_open === '' && _gap === ' ' && (LETTERS.test(level) || (CAPITALS.test(level) && SLASHED.test(time)))) return 'plain';
  if (isPadded(groups)) return 'logger';
  if (level.length < 4 || level !== level.toUpperCase()) return null;
  if (EXACT.test(time)) return 'colon';
  return time.endsWith('Z') && logger.includes('::') ? 'plain' : null;
}

/** Whether the level is one of structlog: `[info     ]`. */
function isPadded({ level = '', _open, _gap = '' }: Groups): boolean {
  return _open === '[' && level.length + _gap.length === PADDED + 2 && _gap.trim() === ']' && level === level.toLowerCase();
}

/** A program and its process, or a bracket, which is no word of a sentence. */
const BEHIND_LEVEL = /^(?:[\w./-]{1,64}\[\d|\[)/;

/** The groups of a record whose level is the first word of a sentence: `error budget 99.9 %`. Levels that nothing else marks are in capitals. */
function withoutSentence(groups: Groups): Groups {
  const { level = '', message = '', ...others } = groups;
  return level === level.toUpperCase() || BEHIND_LEVEL.test(message) ? groups : { ...others, message: `${level} ${message}` };
}

/** The word at the end of a time that only looks like a zone, with the blank in front of it: ` met`, ` START`. */
function wordBehind(time: string): string {
  if (AFTERNOON.test(time)) return HALF_BEHIND.test(time) ? '' : (AFTERNOON.exec(time)?.[0] ?? '');
  const [word = '', zone = ''] = WORD_BEHIND.exec(time) ?? [];
  return zoneHours(zone) === undefined ? word : '';
}

/** Replaces points between year, month and day, and a blank before the hour. */
function usualTime(time: string): string {
  return time.replace(/^(\d{4})\.(\d\d)\./, '$1-$2-').replace(/^(\S+) {2}(?=\d:)/, '$1 0');
}
