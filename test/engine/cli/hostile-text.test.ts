import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMessage } from '../../../engine/message/json/json-format.ts';
import { frame } from '../../../engine/message/protobuf/framing.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { ValueType, type Message } from '../../../engine/message/types.ts';
import { sluicebox, type CliResult } from './run-cli.ts';

const range = (from: number, to: number): string => String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, i) => from + i));

/** Everything that names of files and arguments can have: no NUL. */
const CONTROLS = range(0x01, 0x1f) + range(0x7f, 0x9f) + range(0x2028, 0x202e) + range(0x2066, 0x2069);
const NAME = `x${CONTROLS}\nFORGED`;
const TEXT = `\0${CONTROLS}\x1b]0;title\x07\x1b[2J\nFORGED\rFORGED\u2028FORGED`;
/** A line of a text log, which has no NUL, and is no UTF-8 either. */
const BYTES = Buffer.concat([Buffer.from(TEXT.slice(1)), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x9b, 0x33, 0x31, 0x6d])]);
const JS = JSON.stringify(TEXT);
const TOML = JSON.stringify(NAME).replaceAll('\x7f', '\\u007f');

let folder: string;
/** A folder whose name is hostile as well. */
let hostile: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-hostile-text-'));
  hostile = join(folder, NAME);
  mkdirSync(hostile);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(hostile, name), content);
  return join(hostile, name);
};

const message: Message = {
  uuid: new Uint8Array(16),
  timestamp: 1n,
  type: TEXT,
  logger: TEXT,
  hostname: TEXT,
  envVersion: TEXT,
  payload: TEXT,
  fields: [
    { name: TEXT, valueType: ValueType.STRING, representation: TEXT, values: [TEXT, TEXT] },
    { name: 'b', valueType: ValueType.BYTES, values: [Buffer.from(TEXT)] },
  ],
};
const record = (): Buffer => Buffer.from(frame(encodeMessage(message)));
const jsonLine = `${JSON.stringify({ Timestamp: '1', Payload: TEXT })}\n`;
const script = (body: string): string => `function process_message() { ${body} }\nfunction timer_event() {}\n`;

/** Asserts that text for people commands no terminal, and that nothing in it looks like a line of its own. */
function expectHarmless(text: string): void {
  expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/u);
  expect(text).not.toMatch(/^FORGED/m);
}

async function harmless(args: readonly string[], input: string | Uint8Array = ''): Promise<CliResult> {
  const result = await sluicebox(args, input, { SLUICEBOX_DATA: join(folder, 'data') });
  expectHarmless(result.err);
  expectHarmless(result.out);
  return result;
}

interface Case {
  readonly what: string;
  readonly args: () => string[];
  readonly input?: string | Uint8Array;
  /** Text that must be printed in any case, so that no case passes only because nothing was printed. */
  readonly says: RegExp;
}

describe('text that strangers wrote', () => {
  it.each<Case>([
    { what: 'a command', args: () => [NAME], says: /there is no command x\\u0001/ },
    { what: 'an option', args: () => ['cat', `--${NAME}`], says: /there is no option/ },
    { what: 'an expression', args: () => ['match', `Type == ${NAME}`], says: /\n.*\^/ },
    { what: 'messages as text', args: () => ['cat', '--to', 'text', put('a.pb', record())], says: /:Payload: \\u0000/ },
    { what: 'messages as JSON', args: () => ['cat', put('b.pb', record())], says: /"Payload":"\\u0000/ },
    { what: 'garbage', args: () => ['cat', put('c.pb', Buffer.concat([BYTES, record(), BYTES]))], says: /not a record/ },
    { what: 'lines of JSON', args: () => ['match', 'TRUE', put('d.json', `${jsonLine}${JS}\n`)], says: /d\.json:2: / },
    {
      what: 'what a decoder refuses',
      args: () => [
        'decode',
        put('e.js', script(`inject_message({ Payload: read_message('Payload') }); return [-1, ${JS}];`)),
        put('e.log', BYTES),
      ],
      says: /e\.log:1: \\u0000/,
    },
    {
      what: 'what a decoder throws',
      args: () => ['decode', put('f.js', script(`throw new Error(${JS});`)), put('f.log', 'x\n')],
      says: /has ended/,
    },
    {
      what: 'a script that does not load',
      args: () => ['decode', put('g.js', `throw new Error(${JS});`), put('g.log', 'x\n')],
      says: /g\.js/,
    },
    { what: 'a parameter', args: () => ['decode', 'syslog', '-s', `${NAME}=1`], says: /unknown parameter/ },
    { what: 'the name of a decoder', args: () => ['decode', `${NAME}.js`], says: /x\\u0001/ },
    { what: 'recognised files', args: () => ['decode', 'auto', put('h.log', BYTES)], says: /h\.log/ },
    { what: 'what is recognised', args: () => ['detect', put('i.log', Buffer.concat([BYTES, Buffer.from('\n'), BYTES]))], says: /i\.log/ },
    { what: 'what is recognised, as JSON', args: () => ['detect', '--json', put('j.log', BYTES), join(hostile, 'absent')], says: /absent/ },
    {
      what: 'what a filter throws',
      args: () => ['filter', put('k.js', script(`throw new Error(${JS});`)), '--each', put('k.json', jsonLine)],
      says: /k\.json:1: /,
    },
    {
      what: 'what an encoder refuses',
      args: () => ['encode', put('l.js', script(`return [-1, ${JS}];`)), '--each', put('l.json', jsonLine)],
      says: /l\.json:1: \\u0000/,
    },
    { what: 'a target', args: () => ['inject', `tcp://${NAME}:1`], says: /x\\u0001/ },
    {
      what: 'a section for a manager',
      args: () => ['manager', 'load', put('m.toml', `[${TOML}]\ntype = ${TOML}\n`), '-'],
      says: /m\.toml/,
    },
    { what: 'the name of a script', args: () => ['new', 'decoder', NAME], says: /be made of letters/ },
    { what: 'a folder', args: () => ['new', 'decoder', 'mine', '--in', hostile], says: /mine\.ts/ },
    {
      what: 'a tried script',
      args: () => [
        'sandbox',
        put('n.js', script(`var s = ${JS}; /*${TEXT}*/ if (s) throw new Error(s);`)),
        '-t',
        'filter',
        put('n.json', jsonLine),
      ],
      says: /n\.json:1: /,
    },
    {
      what: 'the tests of a script',
      args: () => [
        'sandbox',
        put('o.js', script(`throw new Error(${JS});`)),
        '-t',
        'decoder',
        '--test',
        put('o.test.json', `[{"title":${JS},"in":${JS},"out":[]}]`),
      ],
      says: /not ok 1/,
    },
    {
      what: 'a configuration',
      args: () => [
        'check',
        put('p.toml', `[${TOML}]\ntype = ${TOML}\n[b]\ntype = "FileInput"\npaths = [${TOML}]\n${TOML} = ${TOML}\ndecoder = ${TOML}\n`),
      ],
      says: /p\.toml:/,
    },
    { what: 'TOML that is none', args: () => ['check', put('q.toml', `${TEXT} = = ${TEXT}`)], says: /q\.toml/ },
  ])('is shown as escapes in $what', async ({ args, input, says }) => {
    const { out, err } = await harmless(args(), input);
    expect(`${err}\n${out}`).toMatch(says);
  });

  it('is shown as escapes in what is said of a store', async () => {
    const store = ['--store', join(hostile, 'store')];
    const log = put('r.log', BYTES);
    const filter = put('r.js', script(`inject_payload('alert', ${JS}, ${JS}); inject_payload('txt', ${JS}, ${JS}); return 0;`));
    await harmless(['import', ...store, log]);
    const { lines } = await harmless(['store', 'list', ...store]);
    expect(lines()).toMatchObject([{ file: log }]);
    const sql = `SELECT 1 AS n, Payload AS "a\u009b", {'\u009b': Payload} AS b FROM messages`;
    for (const format of ['json', 'table']) expect((await harmless(['query', ...store, '--format', format, sql])).out).toContain('\\u009b');
    for (const format of ['json', 'text', 'messages'])
      expect((await harmless(['replay', ...store, '--format', format, filter])).out).toContain('\\u009b');
  });

  it('is shown as escapes in the log of a service', async () => {
    put('in.log', Buffer.concat([BYTES, Buffer.from('\n')]));
    put('decoder.js', script(`return [-1, ${JS}];`));
    put('filter.js', script(`inject_payload('txt', ${JS}, read_message('Payload')); throw new Error(${JS});`));
    const sections = `
[${TOML}]
type = "FileInput"
paths = [${JSON.stringify(join(hostile, 'in.log')).replaceAll('\x7f', '\\u007f')}]
decoder = "d"
send_decode_failures = true
[d]
type = "SandboxDecoder"
filename = "decoder.js"
[${TOML.replace('x', 'y')}]
type = "SandboxFilter"
filename = "filter.js"
message_matcher = "TRUE"
can_exit = true
[out]
type = "LogOutput"
message_matcher = "TRUE"
`;
    const { out, err } = await harmless(['run', '--until-idle', put('run.toml', sections)]);
    expect(out).toMatch(/:Payload: /);
    expect(err).toMatch(/has ended|terminated|was ended/);
  });

  it('goes through commands in the forms for machines as it is', async () => {
    const path = put('exact.pb', record());
    const [json, bytes] = [await sluicebox(['cat', path]), join(folder, 'copy.pb')];
    expect(JSON.parse(json.out)).toEqual(JSON.parse(formatMessage(message)));
    expect((JSON.parse(json.out) as { Payload: string }).Payload).toBe(TEXT);
    writeFileSync(bytes, '');
    const target = await sluicebox(['inject', '--payload', CONTROLS, bytes]);
    expect(target).toMatchObject({ err: '' });
    expect(readFileSync(bytes, 'utf8')).toContain(CONTROLS);
  });
});
