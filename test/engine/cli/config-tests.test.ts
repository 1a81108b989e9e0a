import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sluicebox, type CliResult } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-config-tests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PIPELINE = `
[app]
type = "FileInput"
paths = ["${folder}/none.log"]
decoder = "levels"

[levels]
type = "SandboxDecoder"
filename = "levels.js"

[net]
type = "TcpInput"
address = "127.0.0.1:1"

[ticks]
type = "SandboxInput"
filename = "reader.js"
[ticks.source]
type = "TcpInput"
address = "127.0.0.1:2"

[records]
type = "SandboxInput"
filename = "reader.js"
ticker_interval = 5
[records.source]
type = "UdpInput"
address = "127.0.0.1:3"
splitter = "line"

[units]
type = "SandboxInput"
filename = "reader.js"
[units.source]
type = "UdpInput"
address = "127.0.0.1:4"

[count]
type = "SandboxFilter"
filename = "count.js"
message_matcher = "Type == 'app'"
ticker_interval = 60
timer_event_on_shutdown = true
preserve_data = true

[errors]
type = "FileOutput"
path = "${folder}/errors.log"
message_matcher = "Type == 'app' && Severity <= 3"
encoder = "shout"
use_buffering = true

[shout]
type = "SandboxEncoder"
filename = "shout.js"

[sender]
type = "SandboxOutput"
filename = "sender.js"
message_matcher = "Type == 'app'"
[sender.target]
type = "TcpOutput"
address = "127.0.0.1:1"
`;
const SCRIPTS = {
  'reader.js': `function process_message() {
    for (let text = read_input(); text !== null; text = read_input()) if (text !== '') inject_message({ Type: 'app', Payload: text });
    return 0;
  }`,
  'levels.js': `function process_message() {
    const found = /^(\\w+): (.*)$/.exec(read_message('Payload'));
    if (found === null) return [-1, 'no level'];
    inject_message({ Type: 'app', Severity: found[1] === 'error' ? 3 : 6, Payload: found[2], Fields: { size: found[2].length, level: found[1] } });
    return 0;
  }`,
  'count.js': `var n = 0;
    function process_message() { n++; return 0; }
    function timer_event() { inject_payload('txt', 'count', n); }`,
  'shout.js': `function process_message() { inject_payload('txt', '', read_message('Payload').toUpperCase(), '\\n'); return 0; }`,
  'sender.js': `function process_message() { write_output('<', read_message('Payload'), '>'); return 0; }`,
};
for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(join(folder, name), text);

let files = 0;
function configOf(tests: string): string {
  const path = join(folder, `${files++}.toml`);
  writeFileSync(path, PIPELINE + tests);
  return path;
}

const lines = `input = "app"\nin = ["error: it broke", "info: fine", "junk"]`;

/** Tests that pass: each with its input and the expected output. */
const PASSING: readonly (readonly [title: string, test: string])[] = [
  ['what an output writes', `${lines}\noutput = "errors"\nout = ["IT BROKE"]`],
  ['what an output is given', `${lines}\noutput = "errors"\nout = [{ Type = "app", Payload = "it broke", Fields = { level = "error" } }]`],
  ['what a script writes', `${lines}\noutput = "sender"\nout = ["<it broke>", "<fine>"]`],
  ['what a decoder makes', `${lines}\noutput = "app"\nout = [{ Severity = 3, Fields = { size = 8 } }, { Severity = 6 }]`],
  ['what a filter says at the end', `${lines}\noutput = "count"\nout = [{ Payload = "2", Type = "svc.sandbox-output" }]`],
  [
    'ticks between messages',
    `in = [{ Type = "app", Timestamp = 2026-01-01T00:00:00Z }, { Type = "app", Timestamp = 2026-01-01T00:01:00Z }]
     output = "count"\nout = [{ Payload = "1" }, { Payload = "2" }]`,
  ],
  ['messages that come by no input', `in = [{ Type = "app", Severity = 1, Payload = "x" }]\noutput = "errors"\nout = ["X"]`],
  ['records of an input without a decoder', `input = "net"\nin = ["x"]\noutput = "net"\nout = [{ Payload = "x", Logger = "net" }]`],
  ['messages of an input that is a script', `input = "ticks"\nin = [{ Type = "app", Payload = "y" }]\noutput = "sender"\nout = ["<y>"]`],
  [
    'what a script makes of pieces',
    `input = "ticks"\nin = ["aé\\n", "b"]\noutput = "ticks"\nout = [{ Payload = "aé\\n" }, { Payload = "b" }]`,
  ],
  ['what a script makes of records', `input = "records"\nin = ["aé", "b"]\noutput = "sender"\nout = ["<aé>", "<b>"]`],
  ['what a script makes of datagrams', `input = "units"\nin = ["aé", "b"]\noutput = "count"\nout = [{ Payload = "2" }]`],
  ['that nothing comes', `input = "app"\nin = ["info: fine"]\noutput = "errors"\nout = []`],
];

/** Tests that fail for what came, with what is said of it. */
const FAILING: readonly (readonly [title: string, test: string, shown: readonly string[]])[] = [
  ['another text', 'output = "errors"\nout = ["it broke"]', ['expected ["it broke"]', 'but got  ["IT BROKE"]', '[app] no level']],
  ['too much', 'output = "sender"\nout = ["<it broke>"]', ['but got  ["<it broke>","<fine>"]']],
  ['too little', 'output = "errors"\nout = ["IT BROKE", "FINE"]', ['but got  ["IT BROKE"]']],
  ['another header', 'output = "errors"\nout = [{ Severity = 4 }]', ['"Severity":3']],
  ['another field', 'output = "app"\nout = [{ Fields = { size = 9 } }, {}]', ['"size":[8]']],
  ['a time', 'output = "app"\nout = [{ Timestamp = 2026-01-01T00:00:00Z }, {}]', ['"Timestamp":"1']],
  ['a field that is not there', 'output = "errors"\nout = [{ Fields = { none = 1 } }]', ['"none":1']],
];

/** Checks a configuration with these tests. */
async function check(tests: readonly (readonly [title: string, test: string])[]): Promise<CliResult & { readonly config: string }> {
  const config = configOf(tests.map(([title, test]) => `[[tests]]\ntitle = "${title}"\n${test}\n`).join(''));
  return { ...(await sluicebox(['check', '--test', config])), config };
}

describe('a test of a configuration', () => {
  const passing = check(PASSING);
  const failing = check([
    ...FAILING.map(([title, test]) => [title, `${lines}\n${test}`] as const),
    ['next', `${lines}\noutput = "errors"\nout = ["IT BROKE"]`],
  ]);

  it.each(PASSING.map(([title], i) => [title, i + 1] as const))('shows %s', async (title, number) => {
    expect((await passing).out.split('\n')).toContain(`ok ${number} - ${title}`);
  });

  it('says nothing else when it passes', async () => {
    const { code, out, err } = await passing;
    const said = [`1..${PASSING.length}`, ...PASSING.map(([title], i) => `ok ${i + 1} - ${title}`), ''];
    // Before that, the check warns of the input whose messages only a test gets.
    expect({ code, said: out.split('\n').slice(2), err }).toEqual({ code: 0, said, err: '' });
  });

  it.each(FAILING.map(([title, , shown], i) => [title, i + 1, shown] as const))(
    'fails for %s, with what came',
    async (title, number, shown) => {
      const { config, out } = await failing;
      const said = out.slice(out.indexOf(`not ok ${number} `)).split(/\n(?=(?:not )?ok )/, 1)[0];
      expect(said).toContain(`not ok ${number} - ${title}\n#   at ${config}:`);
      for (const text of shown) expect(said).toContain(text);
    },
  );

  it('goes on with the next when one fails', async () => {
    const { code, out } = await failing;
    expect(out).toMatch(new RegExp(`^ok ${FAILING.length + 1} - next$`, 'm'));
    expect(code).toBe(1);
  });

  it('leaves nothing behind', () => {
    expect(readdirSync(folder).filter((name) => !/\.(js|toml)$/.test(name))).toEqual([]);
  });

  it('is not run when a script does not start', async () => {
    const config = join(folder, 'broken.toml');
    writeFileSync(join(folder, 'broken.js'), 'throw new Error("no")');
    writeFileSync(
      config,
      '[o]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\nencoder = "e"\n[e]\ntype = "SandboxEncoder"\nfilename = "broken.js"\n' +
        '[[tests]]\ntitle = "t"\nin = ["x"]\nout = []',
    );
    const { code, out } = await sluicebox(['check', '--test', config]);
    expect(out).toContain('broken.toml:7: [e] filename: broken.js:1:7: Error: no');
    expect(out).not.toContain('1..1');
    expect(code).toBe(1);
    rmSync(join(folder, 'broken.js'));
  });

  it('is wrong with its line', async () => {
    const config = configOf(
      [
        '[[tests]]\ntitle = "one"\ninput = "ap"\nin = ["x", 3]\nout = []',
        '[[tests]]\ntitle = "two"\nin = [{ Typ = "x" }, { Severity = "high" }]\noutput = "error"\nout = []',
        '[[tests]]\ntitle = "three"\nin = ["x"]\nout = []\nwhen = 1',
        '[[tests]]\ntitle = "four"\nin = ["x"]\noutput = "count"\nout = ["x"]',
        '[[tests]]\ntitle = "five"\nin = ["x"]\nout = []',
      ].join('\n'),
    );
    const { code, out } = await sluicebox(['check', config]);
    const written = readFileSync(config, 'utf8').split('\n');
    const places = out.replaceAll(/^.*\.toml:(\d+): /gm, (_whole, line: string) => `${written[Number(line) - 1] ?? ''} → `);
    expect(places).toBe(
      [
        'in = ["x", 3] → [tests] 0.in.1: must be a text in quotes or a message as a table',
        'in = [{ Typ = "x" }, { Severity = "high" }] → [tests] 1.in.0.Typ: is not a part of a message (did you mean Type?)',
        'in = [{ Typ = "x" }, { Severity = "high" }] → [tests] 1.in.1: is not a message: Severity: an integer of 32 bits is expected',
        'output = "error" → [tests] 1.output: "error" is not an output, filter or input of this configuration (did you mean errors?)',
        'when = 1 → [tests] 2.when: is not a parameter of this section (known are title, input, in, output, out)',
        'out = ["x"] → [tests] 3.out.0: must be a message as a table: only outputs write texts',
        '[[tests]] → [tests] 4.output: is required: there is not just one output (known are errors, sender)',
        '[net] → [net]: no filter or output selects its messages, which have the Type net',
        '',
      ].join('\n'),
    );
    expect(code).toBe(1);
  });

  it('is run from each file of a folder', async () => {
    const whole = mkdtempSync(join(folder, 'whole-'));
    const test = (title: string) => `[[tests]]\ntitle = "${title}"\nin = ["x"]\nout = ["x"]\n`;
    writeFileSync(join(whole, 'a.toml'), test('first') + test('second'));
    writeFileSync(join(whole, 'b.toml'), `[o]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\nencoder = "plain_text"\n${test('third')}`);
    const { out } = await sluicebox(['check', '--test', whole]);
    expect(out).toBe(`${whole}: no problems\n1..3\nok 1 - first\nok 2 - second\nok 3 - third\n`);
    rmSync(whole, { recursive: true });
  });
});

const examples = resolve(import.meta.dirname, '../../../resources/examples');

it('passes for the example configurations', async () => {
  const configurations = readdirSync(examples).filter((name) => name.endsWith('.toml'));
  const { code, out } = await sluicebox(['check', '--test', ...configurations.map((name) => join(examples, name))]);
  expect(out).not.toMatch(/^not ok/m);
  expect(out.match(/^ok/gm)?.length).toBeGreaterThan(4);
  expect(code).toBe(0);
});
