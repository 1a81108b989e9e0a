import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frame } from '../../../engine/message/protobuf/framing.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import type { Message } from '../../../engine/message/types.ts';
import { cliMain, fileOf, sluicebox } from './run-cli.ts';

const FORMAT = '$remote_addr [$time_local] "$request" $status';
const NGINX = ['decode', 'nginx_access', '-s', `log_format=${FORMAT}`];
const line = (path: string, status: number | string): string => `192.0.2.7 [20/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" ${status}\n`;

/** A filter that injects what it gets, fails on `bad`, dies on `die`, and says the time at each tick. */
const FILTER = fileOf(
  'echo.js',
  `let seen = 0;
function process_message() {
  const payload = read_message('Payload');
  if (payload === 'bad') return [-1, 'bad payload'];
  if (payload === 'die') return 1;
  seen++;
  inject_payload('txt', 'echo', payload);
  return 0;
}
function timer_event(ns) { inject_payload('txt', 'timer', String(BigInt(ns)), ' ', seen); }
`,
);
const jsonLine = (payload: string, second: number): string => `${JSON.stringify({ Timestamp: `${second}000000000`, Payload: payload })}\n`;
const payloadsOf = (messages: unknown): string[] => (messages as { Payload: string }[]).map(({ Payload }) => Payload);

describe('sluicebox', () => {
  it.each<{ args: string[]; code: number; out?: RegExp; err?: RegExp }>([
    { args: [], code: 2, err: /Usage: sluicebox COMMAND/ },
    { args: ['--help'], code: 0, out: /decode .*decode records/ },
    { args: ['--version'], code: 0, out: /^sluicebox \d+\.\d+\.\d+\n$/ },
    { args: ['decode', '--help'], code: 0, out: /Usage: sluicebox decode \[DECODER\]/ },
    { args: ['help', 'filter'], code: 0, out: /Usage: sluicebox filter FILTER/ },
    { args: ['help', '--help'], code: 0, out: /Usage: sluicebox COMMAND/ },
    { args: ['constructor'], code: 2, err: /there is no command constructor\.\nsluicebox: try: sluicebox --help/ },
    { args: ['help', '__proto__'], code: 2, err: /there is no command __proto__\./ },
    { args: ['decod'], code: 2, err: /there is no command decod; did you mean decode\?/ },
    { args: ['--versoin'], code: 2, err: /there is no option --versoin; did you mean --version\?/ },
    { args: ['decode', '--quite'], code: 2, err: /there is no option --quite; did you mean --quiet\?/ },
    {
      args: ['decode', '-x'],
      code: 2,
      err: /there is no option -x\. Put arguments that begin with a dash after --\.\nUsage: sluicebox decode \[DECODER\]/,
    },
    { args: ['inject', '--tpye', 'x'], code: 2, err: /there is no option --tpye; did you mean --type\?/ },
    {
      args: ['store', '--store', 'x'],
      code: 2,
      err: /store needs one of list, files, remove, expire, compact or check\nUsage: sluicebox store list/,
    },
    { args: ['store', 'lst', '--store', 'x'], code: 2, err: /store has no lst: give one of list, files, remove, expire/ },
    { args: ['store', 'expire', '--store', 'x', '--days', '9', 'a.log'], code: 2, err: /store expire takes no log files\nUsage/ },
    { args: ['store', 'remove', '--store', 'x', '--days', '9', 'a.log'], code: 2, err: /--days and --size are for store expire\nUsage/ },
    { args: ['new', 'decoder'], code: 2, err: /as in: sluicebox new decoder my_log\nUsage: sluicebox new decoder\|filter/ },
    { args: ['new', 'decoder', '1x'], code: 2, err: /the name must begin with a letter and be made of letters, digits and _, not '1x'/ },
    { args: ['match', 'Type =='], code: 2, err: /found the end\nType ==\n {7}\^\nsluicebox: try/ },
    { args: ['run', '/nowhere.toml'], code: 1, err: /\/nowhere\.toml: cannot be read: it does not exist/ },
    { args: ['decode'], code: 0 },
    { args: ['decode', '--from', 'json'], code: 2, err: /--from json needs the name of a decoder/ },
    { args: ['decode', 'nginx_access', '--frm', 'json'], code: 2, err: /--frm/ },
    { args: ['decode', ''], code: 2, err: /: The name of a file is empty\./ },
    { args: ['run', ''], code: 1, err: /'': cannot be read: the name is empty/ },
    { args: ['decode', '--', '--bogus'], code: 2, err: /--bogus does not exist/ },
    { args: ['decode', 'nginx_acces'], code: 2, err: /there is no decoder nginx_acces; did you mean nginx_access\?/ },
    { args: ['decode', './absent.js'], code: 2, err: /there is no script .*absent\.js/ },
    { args: ['decode', 'nginx_access'], code: 2, err: /missing parameter: log_format/ },
    { args: [...NGINX, '-s', 'payload_kep=true'], code: 2, err: /unknown parameter payload_kep; did you mean payload_keep\?/ },
    { args: [...NGINX, '-s', 'payload_keep=maybe'], code: 2, err: /payload_keep must be true or false, not "maybe"/ },
    { args: [...NGINX, '-s', 'type'], code: 2, err: /-s takes key=value, not 'type'/ },
    { args: [...NGINX, '--split', 'words'], code: 2, err: /"words" is no way to split/ },
    { args: ['filter', 'http_status', '--ticker', 'soon'], code: 2, err: /--ticker must be a whole number/ },
    { args: ['match', 'Type == '], code: 2, err: /column 9/ },
  ])('$args ends with $code', async ({ args, code, out, err }) => {
    const result = await sluicebox(args);
    expect(result.code, result.err).toBe(code);
    expect(result.out).toMatch(out ?? /^$/);
    expect(result.err).toMatch(err ?? /^$/);
  });
});

describe('sluicebox decode', () => {
  it('prints messages, says which lines of which file failed, and why', async () => {
    const good = fileOf('good.log', line('/a', 200));
    const mixed = fileOf('mixed.log', line('/b', 404) + 'garbage\n' + line('/c', 500) + 'more garbage\n');
    const result = await sluicebox([...NGINX, '-s', 'type=web', good, mixed]);
    expect(result.code).toBe(0);
    const refused = (payload: string) => ({
      Payload: payload,
      Fields: [{ name: 'decode_failure' }, { name: 'decode_error', value: [expect.any(String)] }, { name: 'undated' }],
    });
    expect(result.lines()).toMatchObject([
      {
        Type: 'web',
        Timestamp: '1795168800000000000',
        Fields: [
          { name: 'remote_addr', value_type: 0, representation: 'ipv4', value: ['192.0.2.7'] },
          {},
          { name: 'status', value_type: 3, value: [200] },
        ],
      },
      { Fields: [{}, { name: 'request', value: ['GET /b HTTP/1.1'] }, {}] },
      refused('garbage'),
      { Fields: [{}, { name: 'request', value: ['GET /c HTTP/1.1'] }, {}] },
      refused('more garbage'),
    ]);
    expect(result.err.split('\n').map((text) => text.replace(/: .*/, ''))).toEqual([`${mixed}:2`, `${mixed}:4`, 'sluicebox', '']);
    expect(result.err).toContain('2 records were refused, and printed with decode_error\n');
    expect(await sluicebox([...NGINX, '--strict', mixed])).toMatchObject({ code: 1 });
    const decoded = await sluicebox([...NGINX, '--only-decoded', mixed]);
    expect([decoded.code, decoded.lines().length]).toEqual([0, 2]);
  });

  it('reads standard input and ends with 0 when nothing failed', async () => {
    const result = await sluicebox([...NGINX, '-'], line('/a', 200).repeat(3));
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.lines()).toHaveLength(3);
  });

  it('prints one line for each input with --each, in order', async () => {
    const result = await sluicebox([...NGINX, '--each'], line('/a', 200) + 'garbage\n' + line('/b', 404));
    expect(result.code).toBe(2);
    expect(result.lines()).toMatchObject([
      { status: 0, messages: [{ Fields: [{}, {}, { value: [200] }] }] },
      { status: -1, error: expect.stringContaining('where the format has it') as string, messages: [] },
      { status: 0, messages: [{ Fields: [{}, {}, { value: [404] }] }] },
    ]);
  });

  it('takes messages as JSON, with line breaks in them, and reports lines that are none', async () => {
    const input = `${JSON.stringify({ Payload: line('/a', 200) })}\n\n{"Payload":\n${JSON.stringify({ Payload: line('/b', 201), Logger: 'x' })}\n`;
    const result = await sluicebox([...NGINX, '--from', 'json', '--each'], input);
    expect(result.lines()).toMatchObject([
      { status: 0, messages: [{ Fields: [{}, {}, { value: [200] }] }] },
      { status: -1, error: expect.stringContaining('JSON') as string },
      { status: 0, messages: [{ Logger: 'x', Fields: [{}, {}, { value: [201] }] }] },
    ]);
    expect(result.err).toMatch(/^standard input:3: /);
  });

  it('takes a framed protobuf stream', async () => {
    const message: Message = { uuid: new Uint8Array(16), timestamp: 1n, payload: line('/a', 200), logger: 'proto', fields: [] };
    const result = await sluicebox([...NGINX, '--from', 'protobuf'], Buffer.concat([Buffer.from('junk'), frame(encodeMessage(message))]));
    expect(result.lines()).toMatchObject([{ Logger: 'proto', Fields: [{}, {}, { value: [200] }] }]);
  });

  it('cuts slow query logs into entries', async () => {
    const entry =
      '# User@Host: app[app] @ dbone [10.1.2.3]\n# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000\nSET timestamp=1614949679;\nSELECT 1\nFROM t;\n';
    const result = await sluicebox(['decode', 'mysql_slow_query'], entry.repeat(3));
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.lines()).toHaveLength(3);
    const byLines = await sluicebox(['decode', 'mysql_slow_query', '--split', 'line'], entry);
    expect(byLines.lines().map(({ Payload }) => Payload)).toEqual(entry.trimEnd().split('\n'));
  });

  it('keeps values of several lines together', async () => {
    const text = '1\t"x\ny\t"\n2\t"w\n';
    const args = ['decode', 'csv', '-s', 'delimiter=tab', '-s', 'header=a\tmessage'];
    const result = await sluicebox(args, text);
    expect(result.lines()).toMatchObject([{ Payload: 'x\ny\t' }, { Payload: '2\t"w' }]);
    expect(result).toMatchObject({ code: 0, err: expect.stringMatching(/^standard input:2: a quote that does not end\n/) as string });
    const each = await sluicebox([...args, '--each'], text);
    expect(each.lines()).toMatchObject([{ status: -1 }, { status: -1 }, { status: -1 }]);
  });

  it.each<{ split: string; input: string; count: number }>([
    { split: 'none', input: line('/a', 200), count: 1 },
    { split: 'regex:;', input: [line('/a', 200), line('/b', 200)].map((text) => text.trimEnd()).join(';'), count: 2 },
  ])('cuts records by --split $split', async ({ split, input, count }) => {
    const result = await sluicebox([...NGINX, '--split', split], input);
    expect(result.err).toBe('');
    expect(result.lines()).toHaveLength(count);
  });

  it('goes on with the other files when one cannot be read', async () => {
    const good = fileOf('good.log', line('/a', 200));
    const binary = fileOf(
      'x.bin',
      new Uint8Array(5000).map((_, i) => i * 7),
    );
    const result = await sluicebox([...NGINX, '/nowhere/x.log', binary, good]);
    expect(result.code).toBe(2);
    expect(result.lines()).toHaveLength(1);
    expect(result.err).toMatch(/\/nowhere\/x\.log does not exist/);
    expect(result.err).toMatch(/x\.bin is /);
  });

  it.each<{ title: string; script: string; err: RegExp }>([
    { title: 'a syntax error', script: 'function process_message( {', err: /broken\.js:1/ },
    { title: 'an endless loop', script: 'function process_message() { for (;;); }', err: /instruction|time limit/ },
    {
      title: 'endless allocation',
      script: 'const a = []; function process_message() { for (;;) a.push("x".repeat(1000) + a.length); }',
      err: /memory|instruction/,
    },
    { title: 'nothing to call', script: 'const x = 1;', err: /process_message/ },
  ])('says what is wrong with a script that has $title', async ({ script, err }) => {
    const result = await sluicebox(['decode', fileOf('broken.js', script)], 'a\nb\n');
    expect(result.code).toBe(2);
    expect(result.out).toBe('');
    expect(result.err).toMatch(err);
  });

  it('keeps printing one line for each input after the decoder has ended', async () => {
    const script = fileOf('dying.js', "function process_message() { if (read_message('Payload') === 'die') return 1; return 0; }");
    const result = await sluicebox(['decode', script, '--each'], 'a\ndie\nb\n');
    expect(result.lines().map(({ status }) => status)).toEqual([0, 1, 1]);
  });

  it('ends without a word when its reader goes away', async () => {
    const input = fileOf('long.log', line('/a', 200).repeat(30_000));
    const child = spawn('sh', [
      '-c',
      `"$0" --disable-warning=ExperimentalWarning "$@" | head -n 1`,
      process.execPath,
      cliMain,
      ...NGINX,
      input,
    ]);
    let err = '';
    let out = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    await new Promise((done) => child.on('close', done));
    expect(out.split('\n')).toHaveLength(2);
    expect(err).toBe('');
  });

  it('stops at an interrupt', async () => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, ...NGINX]);
    let out = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stdin.write(line('/a', 200));
    await expect.poll(() => out).toContain('/a');
    child.kill('SIGINT');
    const code = await new Promise((done) => child.on('close', done));
    expect(code).toBe(130);
  });
});

describe('sluicebox filter', () => {
  it('prints what is injected, with ticks by the messages’ time and a last one', async () => {
    const input = jsonLine('a', 100) + jsonLine('b', 161) + jsonLine('c', 165);
    const result = await sluicebox(['filter', FILTER, '--ticker', '60'], input);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(payloadsOf(result.lines())).toEqual(['a', '160000000000 1', 'b', 'c', '165000000000 3']);
  });

  it('takes ticks from the input, and then makes none itself', async () => {
    const input = jsonLine('a', 100) + '{"timer":"120000000000"}\n' + jsonLine('b', 500);
    const result = await sluicebox(['filter', FILTER, '--ticker', '60', '--each'], input);
    expect(result.lines().map(({ status, messages }) => [status, ...payloadsOf(messages)])).toEqual([
      [0, 'a'],
      [0, '120000000000 1'],
      [0, 'b'],
    ]);
  });

  it('reports failures and its end in order with --each', async () => {
    const input = jsonLine('a', 100) + jsonLine('bad', 161) + '{"timer":"1"}\n' + jsonLine('die', 162) + jsonLine('b', 163);
    const result = await sluicebox(['filter', FILTER, '--each'], input);
    expect(result.code).toBe(2);
    expect(result.lines().map(({ status }) => status)).toEqual([0, -1, 0, 1, 1]);
    expect(result.lines()[1]).toMatchObject({ error: 'bad payload', messages: [] });
  });

  it('gives the last tick to the last input with --each and a ticker', async () => {
    const result = await sluicebox(['filter', FILTER, '--ticker', '60', '--each'], jsonLine('a', 100) + jsonLine('b', 161));
    expect(result.lines().map(({ messages }) => payloadsOf(messages))).toEqual([['a'], ['160000000000 1', 'b', '161000000000 2']]);
  });
});

describe('sluicebox match and cat', () => {
  const messages: Message[] = Array.from({ length: 5 }, (_, i) => ({
    uuid: new Uint8Array(16),
    timestamp: BigInt(i),
    severity: i,
    payload: `m${i}`,
    fields: [],
  }));
  const stream = Buffer.concat(messages.map((message) => frame(encodeMessage(message))));
  const json = messages
    .map((message) => `${JSON.stringify({ Timestamp: `${message.timestamp}`, Severity: message.severity, Payload: message.payload })}\n`)
    .join('');

  it.each<{ args: string[]; input: Uint8Array | string; out: string[] | string }>([
    { args: ['Severity > 2'], input: json, out: ['m3', 'm4'] },
    { args: ['Severity > 2'], input: stream, out: ['m3', 'm4'] },
    { args: ['-v', 'Severity > 2'], input: stream, out: ['m0', 'm1', 'm2'] },
    { args: ['-c', "Payload == 'm1'"], input: json, out: '1\n' },
    { args: ['-c', 'Severity > 9'], input: json, out: '0\n' },
  ])('match $args', async ({ args, input, out }) => {
    const result = await sluicebox(['match', ...args], input);
    expect(result).toMatchObject({ code: out === '0\n' ? 1 : 0, err: '' });
    if (typeof out === 'string') expect(result.out).toBe(out);
    else expect(payloadsOf(result.lines())).toEqual(out);
  });

  it('cat prints a stream in each form', async () => {
    const file = fileOf('stream.pb', stream);
    expect(payloadsOf((await sluicebox(['cat', '--tail', '2', file])).lines())).toEqual(['m3', 'm4']);
    expect(payloadsOf((await sluicebox(['cat', '--match', 'Severity == 1', file])).lines())).toEqual(['m1']);
    const text = await sluicebox(['cat', '--to', 'text', '--match', 'Severity == 0', file]);
    expect(text.out.split('\n').slice(0, 3)).toEqual(['', ':Timestamp: 1970-01-01 00:00:00 +0000 UTC', ':Type: ']);
    expect(text.out).toMatch(/\n:Payload: m0\n:EnvVersion: \n:Severity: 0\n\n$/);
    const again = await sluicebox(['cat', '--to', 'protobuf', file]);
    expect(Buffer.from(again.out)).toEqual(stream);
  });

  it('cat reports what is not a record and prints the rest', async () => {
    const result = await sluicebox(['cat', fileOf('cut.pb', Buffer.concat([stream, stream.subarray(0, 20)]))]);
    expect(result.lines()).toHaveLength(5);
    expect(result.err).toMatch(/ends within a record/);
  });
});

describe('sluicebox run and check', () => {
  const config = (log: string, out: string): string => `
[access]
type = "FileInput"
paths = [${JSON.stringify(log)}]
decoder = "nginx"
clock = "message"

[nginx]
type = "SandboxDecoder"
plugin = "nginx_access"
[nginx.config]
log_format = '${FORMAT}'

[http_status]
type = "SandboxFilter"
message_matcher = "Fields[status] != NIL"
plugin = "http_status"
ticker_interval = 60
timer_event_on_shutdown = true

[errors]
type = "FileOutput"
message_matcher = "Fields[status] >= 500 || Fields[payload_type] == 'cbuf'"
path = ${JSON.stringify(out)}
encoder = "json"
`;

  it('runs a pipeline until its files are read, and goes on where it stopped', async () => {
    const log = fileOf('run.log', line('/a', 200) + 'garbage\n' + line('/b', 503));
    const out = join(log, '..', 'out', 'errors.jsonl');
    const path = fileOf('run.toml', config(log, out));
    const env = { SLUICEBOX_DATA: join(log, '..', 'state') };
    const first = await sluicebox(['run', path, '--until-idle'], '', env);
    expect(first.err).toContain(`${log}:2: `);
    expect(first.code).toBe(0);
    const written = () =>
      readFileSync(out, 'utf8')
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text) as { Type: string; Fields: { name: string; value: unknown[] }[] });
    expect(written().filter(({ Type }) => Type === 'logfile')).toHaveLength(1);
    expect(written().some(({ Type }) => Type === 'svc.sandbox-output')).toBe(true);
    const again = await sluicebox(['run', path, '--until-idle'], '', env);
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(written().filter(({ Type }) => Type === 'logfile')).toHaveLength(1);
  });

  it('encodes by scripts, and keeps the state of plugins over restarts', async () => {
    const log = fileOf('encoded.log', 'a\nb\n');
    const counter = fileOf(
      'counter.js',
      `var seen = 0;\nfunction process_message() { seen++; return 0; }\nfunction timer_event() { inject_payload('txt', 'n', String(seen)); }\n`,
    );
    const shout = fileOf(
      'shout.js',
      `function process_message() { add_to_payload(read_message('Payload').toUpperCase()); inject_payload(); return 0; }\n`,
    );
    const path = fileOf(
      'state.toml',
      `[lines]\ntype = "FileInput"\npaths = [${JSON.stringify(log)}]\nstart = "begin"\n` +
        `[counter]\ntype = "SandboxFilter"\nfilename = ${JSON.stringify(counter)}\nmessage_matcher = "Type == 'logfile'"\npreserve_data = true\ntimer_event_on_shutdown = true\n` +
        `[shout]\ntype = "SandboxEncoder"\nfilename = ${JSON.stringify(shout)}\n` +
        `[out]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\nencoder = "shout"\n`,
    );
    const env = { SLUICEBOX_DATA: join(log, '..', 'preserved') };
    const first = await sluicebox(['run', path, '--until-idle'], '', env);
    expect(first).toMatchObject({ code: 0, err: '', out: 'A\nB\n2\n' });
    const second = await sluicebox(['run', path, '--until-idle'], '', env);
    expect(second).toMatchObject({ code: 0, err: '', out: 'A\nB\n4\n' });
  });

  it('check prints all problems with file and line', async () => {
    const path = fileOf(
      'bad.toml',
      '[a]\ntype = "FileInput"\npath = "x"\n\n[b]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "Type = 1"\n\n[c]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\n[c.config]\nrow = 3\n',
    );
    const result = await sluicebox(['check', path]);
    expect(result.code).toBe(1);
    expect(result.out).toMatch(/bad\.toml:\d+: \[a\] /);
    expect(result.out).toMatch(/bad\.toml:8: \[b\] message_matcher/);
    expect(result.out).toMatch(/bad\.toml:15: \[c\] config\.row: is unknown \(did you mean rows\?\)/);
    const good = await sluicebox(['check', fileOf('good.toml', config('/tmp/x', '/tmp/y'))]);
    expect(good).toMatchObject({ code: 0 });
    const filter = '[o]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\ninputs = ["x"]\n';
    const warned = await sluicebox(['check', path, fileOf('inputs.toml', filter)]);
    expect(warned.code).toBe(1);
    expect(warned.out).toMatch(/warning: .*inputs\.toml:1: \[o\] inputs: is for the workspace of the window/);
    expect(warned.out).toMatch(/bad\.toml:\d+: \[a\] /);
  });

  it('run refuses a configuration with problems and one that is not TOML', async () => {
    const result = await sluicebox(['run', fileOf('broken.toml', '[a\n')]);
    expect(result.code).toBe(1);
    expect(result.err).toMatch(/broken\.toml:1/);
  });
});
