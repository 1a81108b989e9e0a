import { isDeepStrictEqual } from 'node:util';
import { RE2JS } from 're2js';
import { parse as parseToml } from 'smol-toml';
import { ConfigEditError, removeSection, setSection } from '../../../engine/config/edit.ts';
import { parseConfig } from '../../../engine/config/load.ts';
import { formatProblem } from '../../../engine/config/problems.ts';
import { expandEnvironment } from '../../../engine/config/environment.ts';
import { SECTION_TYPES } from '../../../engine/config/schema/sections.ts';
import { MatcherError } from '../../../engine/matcher/errors.ts';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { compilePattern, PatternError } from '../../../engine/matcher/regex/pattern.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { parseTimestamp } from '../../../engine/message/timestamp.ts';
import type { Message } from '../../../engine/message/types.ts';
import { shapeOf, type Target } from '../campaign.ts';

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const bytesOf = (texts: readonly string[]): Uint8Array[] => texts.map((text) => Buffer.from(text));

const BUNDLED = { decoder: ['syslog'], filter: ['http_status'], encoder: ['alert'] };
const ENVIRONMENT = { HOME: '/home/x', QUOTE: '"', LINES: 'a\nb' };

export const config: Target = {
  name: 'configurations',
  seeds: bytesOf([
    ...Object.values(SECTION_TYPES).map(({ example }) => example),
    '[svcd]\nmax_message_loops = 3\nhostname = "%ENV[HOME]"\nbase_dir = \'x\'\n[a.config]\n"b c" = [1, {d = 1979-05-27T07:32:00Z}]\n',
    '# comment\r\n[x]\r\ntype = "FileInput"\r\npaths = [\r\n  "a", # one\r\n  """b\r\nc""",\r\n]\r\n[[x.y]]\r\n',
  ]),
  words: [
    '%ENV[HOME]',
    '%ENV[QUOTE]',
    '%ENV[LINES]',
    '%ENV[',
    '[[',
    ']]',
    '"""',
    "'''",
    '\r\n',
    'type = "',
    '__proto__',
    '= 0x',
    'inf',
    '.config',
    '\ufeff',
  ],
  run(bytes) {
    const text = textOf(bytes);
    const { problems } = parseConfig(text, 'p.toml', { bundled: BUNDLED, environment: ENVIRONMENT });
    const lines = text.split('\n').length;
    for (const problem of problems) {
      if (problem.line < 0 || problem.line > lines) throw new Error(`a problem in line ${problem.line} of ${lines}`);
      if (formatProblem(problem).includes('undefined')) throw new Error(formatProblem(problem));
    }
    return `${shapeOf(problems.map((problem) => problem.text).join())} ${edited(text)}`;
  },
};

function tableOf(text: string): Record<string, unknown> {
  return parseToml(expandEnvironment(text, ENVIRONMENT).text, { unsafeKeyBehaviour: 'throw' });
}

/** Edits of a section change nothing else. */
function edited(text: string): string {
  try {
    const added = setSection(text, 'new', { type: 'LogOutput', config: { a: [1, 'x'] } }, ENVIRONMENT);
    const table = tableOf(added);
    if (!Object.hasOwn(table, 'new')) throw new Error('an added section is not there');
    const removed = tableOf(removeSection(added, 'new', ENVIRONMENT));
    const { new: _new, ...others } = table;
    if (!isDeepStrictEqual(JSON.stringify(removed), JSON.stringify(others))) throw new Error('removing a section changed others');
    return 'edited';
  } catch (error) {
    if (error instanceof ConfigEditError) return error.message;
    throw error;
  }
}

const MESSAGES: readonly Message[] = [
  { uuid: new Uint8Array(16), timestamp: 1n, fields: [] },
  {
    uuid: new Uint8Array(16).fill(7),
    timestamp: 1_614_949_679_000_000_000n,
    type: 'web.access',
    payload: 'GET /index.html "ok" aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
    severity: 6,
    pid: 4242,
    hostname: 'edge1.example.org',
    fields: [
      { name: 'status', valueType: 2, values: [200n] },
      { name: 'tag', valueType: 0, values: ['blue', '\ud800', 'größe'] },
      { name: 'tag', valueType: 1, values: [Uint8Array.of(0xff, 97)] },
      { name: 'ratio', valueType: 3, values: [0.25, NaN] },
      { name: 'tls', valueType: 4, values: [true] },
    ],
  },
];
const BATCH = batchOf(MESSAGES);

export const matcher: Target = {
  name: 'matchers',
  seeds: bytesOf([
    "Type == 'web.access' && Fields[status] >= 200 || Hostname =~ /^edge\\d+/",
    '(Severity <= 6.0e0 || Fields[tag][0][1] != "x") && Fields[ratio] < .5',
    'Fields[tls] == TRUE && Fields[none] == NIL || Payload !~ /(?i)a+b$/',
    "Fields[tag][1] =~ /(a|b)*[^x-z]{2,3}\\p{L}?/ && Uuid != ''",
    'Timestamp > 1.6e18 && Pid == 4242 && TRUE',
  ]),
  words: [
    ' && ',
    ' || ',
    '(',
    ')',
    'Fields[',
    '][0]',
    ' =~ /',
    ' !~ /',
    'NIL',
    'TRUE',
    '/',
    '(?i)',
    '{1,1000}',
    '+)*',
    '\\x{10FFFF}',
    '[[:alpha:]]',
    '\\Q',
    '\\E',
    '(?P<n>',
    '1e308',
  ],
  run(bytes) {
    const text = textOf(bytes);
    try {
      const compiled = compileMatcher(text);
      const rows = compiled.select(BATCH);
      for (const [row, message] of MESSAGES.entries()) {
        if (compiled.matches(message) !== (rows === null || rows.includes(row))) throw new Error('the compiled form says something else');
      }
      return `${String(rows)} ${compiled.variables.headers.join()} ${compiled.variables.fields.length}`;
    } catch (error) {
      if (!(error instanceof MatcherError)) throw error;
      if (error.column < 1 || error.column > text.length + 1) throw new Error(`column ${error.column} of ${text.length}`, { cause: error });
      error.caret();
      return shapeOf(error.message);
    }
  },
};

const TEXTS = [
  '',
  'a',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
  'GET /index.html HTTP/1.1',
  'line\nGrößE \u{1f600}',
  '2021-03-05T13:07:59Z',
];

export const pattern: Target = {
  name: 'regular expressions',
  seeds: bytesOf([
    '^GET /(index|home)\\.html',
    '(a+)+b$',
    '(?i)größe',
    '\\d{4}-\\d\\d',
    '[^\\s"]*"',
    '(?ms)^.*$',
    '\\bline\\b',
    '(?:x?){5}x',
    '\\p{Greek}|\\pL',
  ]),
  words: [
    '(?i)',
    '(?s)',
    '(?m)',
    '(?U)',
    '(?:',
    '(?P<n>',
    '|',
    '{2,}',
    '{1,50}',
    '*?',
    '+',
    '[^',
    '[[:digit:]]',
    '\\b',
    '\\B',
    '\\A',
    '\\z',
    '\\x{1F600}',
    '\\Q',
    '\\C',
    'ſ',
    'K',
  ],
  run(bytes) {
    const source = textOf(bytes);
    let compiledThere: RE2JS | null = null;
    try {
      compiledThere = RE2JS.compile(source);
    } catch {
      // Refused there; whether it is refused here, too, is seen below.
    }
    try {
      const compiled = compilePattern(source);
      const results = TEXTS.map((text) => compiled.test(text, 0, text.length));
      if (compiledThere === null) throw new Error('is refused by re2js');
      const reference = compiledThere;
      const wanted = TEXTS.map((text) => reference.matcher(text).find());
      if (!isDeepStrictEqual(results, wanted)) throw new Error(`${compiled.engine}: ${results.join()} instead of ${wanted.join()}`);
      return `${compiled.engine} ${results.join()}`;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return shapeOf(error.message);
    }
  },
};

export const timestamp: Target = {
  name: 'points in time',
  seeds: bytesOf([
    'Fri Mar  5 13:07:59 2021',
    '05 Mar 21 13:07 +0100',
    'Friday, 05-Mar-21 13:07:59 UTC',
    '2021-03-05T13:07:59.25+01:00',
    '0x7b',
    '-9223372036854775808',
  ]),
  run(bytes) {
    const ns = parseTimestamp(textOf(bytes));
    if (ns !== null && BigInt.asIntN(64, ns) !== ns) throw new Error(`${ns} does not fit into 64 bits`);
    return ns === null ? 'none' : `${ns.toString().length}`;
  },
};
