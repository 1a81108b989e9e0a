import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, parseConfig } from '../../../engine/config/load.ts';
import { formatProblem } from '../../../engine/config/problems.ts';
import { expectLinear } from '../../growth.ts';

const bundled = { decoder: ['nginx_access', 'rsyslog'], filter: ['http_status'], encoder: ['alert'] };

function problemsOf(text: string, environment = {}): string[] {
  return parseConfig(text, 'p.toml', { bundled, environment }).problems.map(formatProblem);
}

const filter = '[f]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\n';

describe('a valid configuration', () => {
  const { config, problems } = parseConfig(
    `# my pipeline
[svcd]
max_message_loops = 0
max_pack_idle = "1h30m"

[access]
type = "FileInput"
paths = ["/var/log/a.log"]
decoder = "nginx"
clock = "message"

[nginx]
type = "SandboxDecoder"
plugin = "nginx_access"
config.type = "web.access"
config.ratio = 0.5
config.since = 2021-03-05T10:00:00Z
config.list = [1]

[http_status]
type = "SandboxFilter"
plugin = "http_status"
message_matcher = '''Type == "web.access"'''
buffering = { full_action = "block" }
retries.delay = "1s"

[ticks]
type = "SandboxInput"
filename = "ticks.js"

[LogOutput]
message_matcher = "Severity <= 3"
`,
    'p.toml',
    { bundled },
  );

  it('has no problems', () => expect(problems).toEqual([]));

  it('is sorted by kind, with names, places and defaults', () => {
    expect(config.inputs.map(({ name, origin }) => [name, origin.line])).toEqual([
      ['access', 6],
      ['ticks', 27],
    ]);
    expect(config.inputs[0]).toMatchObject({
      type: 'FileInput',
      start: 'resume',
      encoding: 'auto',
      follow: true,
      splitter: 'auto',
      clock: 'message',
    });
    expect(config.filters[0]).toMatchObject({
      memory_limit: 8_388_608,
      instruction_limit: 1_000_000,
      output_limit: 64_512,
      can_exit: true,
      ticker_interval: 0,
    });
    expect(config.filters[0]?.buffering).toEqual({
      full_action: 'block',
      max_file_size: 536_870_912,
      max_buffer_size: 0,
      cursor_update_count: 1,
    });
    expect(config.outputs[0]).toMatchObject({ name: 'LogOutput', type: 'LogOutput', encoder: 'text' });
  });

  it('reads durations as milliseconds', () => {
    expect(config.filters[0]?.retries).toEqual({ delay: 1000, max_delay: 30_000, max_jitter: 500, max_retries: -1 });
    expect(config.service.max_pack_idle).toBe(5_400_000);
  });

  it('keeps the rules of single parameters', () => {
    expect(config.service).toMatchObject({ max_message_loops: 1, max_process_inject: 1, max_timer_inject: 10, plugin_chansize: 30 });
    expect(config.inputs[1]).toMatchObject({ type: 'SandboxInput', instruction_limit: 0 });
    expect(config.decoders[0]?.config).toEqual({ type: 'web.access', ratio: 0.5 });
  });
});

/** Text, and what is wrong with it. */
const table: readonly [string, string[]][] = [
  ['', []],
  ['a = 1', ['p.toml:1: a: stands outside of all sections (a section begins with its name in brackets)']],
  [
    '[x]',
    [
      `p.toml:1: [x]: has no type (known are FileInput, UdpInput, TcpInput, FilePollingInput, ProcessInput, HttpListenInput, HttpInput, OtlpInput, FluentForwardInput, NatsInput, StatsdInput, StatAccumInput, SandboxInput, SandboxDecoder, SandboxFilter, SandboxManagerFilter, SandboxEncoder, SandboxOutput, LogOutput, FileOutput, ParquetOutput, TcpOutput, UdpOutput, HttpOutput, SmtpOutput, ElasticSearchOutput, OtlpOutput, NatsOutput)`,
    ],
  ],
  ['[x]\ntype = 3', [expect.stringContaining('p.toml:2: [x] type: 3 is not a type of section')]],
  ['[x]\ntype = "SandboxFiltr"', ['p.toml:2: [x] type: "SandboxFiltr" is not a type of section (did you mean SandboxFilter?)']],
  [
    '\n[svcd]\nmaxprocs = 0\nhostnme = "x"',
    [
      'p.toml:3: [svcd] maxprocs: must be at least 1, not 0',
      'p.toml:4: [svcd] hostnme: is not a parameter of this section (did you mean hostname?)',
    ],
  ],
  [
    '[FileInput]\npaths = ["a"]\nsplitter = "regex:(a)(b)"',
    ['p.toml:3: [FileInput] splitter: "(a)(b)" has 2 groups. A delimiter has at most one.'],
  ],
  [
    '[TcpInput]\naddress = ":1"\nsplitter = "framing"\ndecoder = "protobuf"\n[TcpInput.signers.ops]\nhmac_key = "x"\n[TcpInput.signers.b_1]\nkey = "x"',
    [
      'p.toml:5: [TcpInput] signers.ops: must be named like ops_1, the name of the signer and the version of the key',
      'p.toml:7: [TcpInput] signers.b_1.hmac_key: is required',
      'p.toml:8: [TcpInput] signers.b_1.key: is not a parameter of this section (known are hmac_key)',
    ],
  ],
  [
    '[TcpInput]\naddress = ":1"\ndecoder = "protobuf"',
    ['p.toml:3: [TcpInput] decoder: protobuf decodes framed messages (it needs splitter = "framing")'],
  ],
  ['[svcd]\nmax_pack_idle = "2 minutes"', ['p.toml:2: [svcd] max_pack_idle: must be a duration such as 250ms, 2m or 1h30m']],
  ['[FileInput]', ['p.toml:1: [FileInput] paths: is required']],
  ['[FileInput]\npaths = "a"', ['p.toml:2: [FileInput] paths: must be a list, not "a"']],
  ['[FileInput]\npaths = [\n  "a",\n  3,\n]', ['p.toml:2: [FileInput] paths.1: must be a text in quotes, not 3']],
  [
    '[FileInput]\npaths = []\nstart = "bgin"',
    [
      'p.toml:2: [FileInput] paths: must not be empty',
      'p.toml:3: [FileInput] start: must be resume, begin or end, not "bgin" (did you mean begin?)',
    ],
  ],
  [
    '[FileInput]\npaths = ["a"]\ndecoder = "nginx_acess"',
    ['p.toml:3: [FileInput] decoder: there is no decoder "nginx_acess" (did you mean nginx_access?)'],
  ],
  [`${filter}[i]\ntype = "UdpInput"\naddress = ":514"\ndecoder = "f"`, ['p.toml:8: [i] decoder: "f" is a filter, not a decoder']],
  ['[UdpInput]\naddress = "localhost"', ['p.toml:2: [UdpInput] address: must be host:port, such as 127.0.0.1:5514 or [::]:5514']],
  [
    '[TcpInput]\naddress = "[::]:5514"\nsplitter = "words"',
    ['p.toml:3: [TcpInput] splitter: must be line, none, framing or regex: with a regular expression, not "words"'],
  ],
  [
    '[TcpInput]\naddress = ":99999"\nsplitter = "regex:("',
    [
      expect.stringContaining('[TcpInput] address: must be host:port'),
      expect.stringContaining('p.toml:3: [TcpInput] splitter: is not a regular expression: missing closing )'),
    ],
  ],
  [
    `${filter}ticker_interval = 1.5\nprofile = "yes"`,
    ['p.toml:5: [f] ticker_interval: must be a whole number, not 1.5', 'p.toml:6: [f] profile: must be true or false, not "yes"'],
  ],
  [`${filter}filename = "x.js"`, ['p.toml:1: [f]: needs either plugin, the name of a bundled script, or filename, the path of your own']],
  [
    '[SandboxDecoder]\nmemory_limit = -1',
    [
      'p.toml:1: [SandboxDecoder]: needs either plugin, the name of a bundled script, or filename, the path of your own',
      'p.toml:2: [SandboxDecoder] memory_limit: must be at least 0, not -1',
    ],
  ],
  [
    '[SandboxDecoder]\nplugin = "nginx"',
    ['p.toml:2: [SandboxDecoder] plugin: there is no bundled decoder "nginx" (known are nginx_access, rsyslog)'],
  ],
  [
    '[SandboxEncoder]\nplugin = "alert"\n[SandboxEncoder.config]\ntz = "Mars/Base"',
    ['p.toml:4: [SandboxEncoder] config.tz: must be UTC, Local or a time zone such as Europe/Berlin'],
  ],
  [
    `${filter}[f.buffering]\nfull_acton = "drop"`,
    ['p.toml:6: [f] buffering.full_acton: is not a parameter of this section (did you mean full_action?)'],
  ],
  [`${filter}buffering = { full_action = 1 }`, ['p.toml:5: [f] buffering.full_action: must be shutdown, drop or block, not 1']],
  [
    '[LogOutput]\nmessage_matcher = "Type = 1"\nencoder = "jso"',
    [
      "p.toml:2: [LogOutput] message_matcher: is not a matcher: column 6: expected an operator, a variable or a value, found '='; equality is == (in Type = 1)",
      'p.toml:3: [LogOutput] encoder: there is no encoder "jso" (did you mean json?)',
    ],
  ],
  ['[LogOutput]', ['p.toml:1: [LogOutput] message_matcher: is required']],
  ['[FileOutput]\npath = "x"\nmessage_matcher = "TRUE"\nperm = "999"', ['p.toml:4: [FileOutput] perm: must be an octal mode such as 644']],
  [
    '[FileOutput]\npath = "x"\nmessage_matcher = "TRUE"\nrotation_interval = 3',
    ['p.toml:4: [FileOutput] rotation_interval: must be 0, 1, 4, 12 or 24, not 3'],
  ],
  ['[HttpListenInput]\nauth_type = "key"', ['p.toml:2: [HttpListenInput] auth_type: must be "", Basic or API, not "key"']],
  [
    '[TcpOutput]\nmessage_matcher = "TRUE"\n[TcpOutput.tls]\nmax_version = "TLS11"',
    ['p.toml:3: [TcpOutput] tls: max_version is below min_version, which is TLS12 where it is not set'],
  ],
  ['[a]\nb = = 3', [expect.stringMatching(/^p\.toml:2: is not valid TOML in column \d+: /)]],
  ['[a]\n[a]', [expect.stringMatching(/^p\.toml:2: is not valid TOML/)]],
  [
    '[a]\nb = 9007199254740993',
    [
      'p.toml:2: has too large an integer in column 5: at most ±9007199254740991 is exact. Write it with .0 behind it, or as a text in quotes',
    ],
  ],
  ['[__proto__]\nx = 1', [expect.stringContaining('is not valid TOML')]],
];

describe('problems', () => {
  it.each(table)('%j', (text, expected) => expect(problemsOf(text)).toEqual(expected));

  it('leave out the sections that have them, and only these', () => {
    const { config, problems } = parseConfig(
      `${filter}[g]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\n[LogOutput]\nmessage_matcher = "TRUE"\nencoder = "x"`,
      'p.toml',
    );
    expect(problems.map(({ section, key }) => [section, key])).toEqual([
      ['g', ''],
      ['LogOutput', 'encoder'],
    ]);
    expect([config.filters.map(({ name }) => name), config.outputs]).toEqual([['f'], []]);
  });
});

it('a manager may say what is done when it ends, though it does not', () => {
  const text = '[SandboxManagerFilter]\ncan_exit = true\nretries = { max_retries = 1 }';
  const { config, problems } = parseConfig(text, 'p.toml');
  expect(problems).toEqual([]);
  expect(config.managers).toHaveLength(1);
});

describe('values within values', () => {
  const nested = (depth: number): string => `[a]\nconfig = ${'{a='.repeat(depth)}1${'}'.repeat(depth)}`;

  it('take no more time for each the deeper they are', () => expectLinear((depth) => parseConfig(nested(depth), 'p.toml'), 800));

  it.each([1001, 2000, 50_000])('%i deep are refused', (depth) => {
    expect(problemsOf(nested(depth))).toEqual([expect.stringMatching(/^p\.toml:2: is not valid TOML.*excessively nested/)]);
  });
});

describe('variables of the environment', () => {
  it('are replaced before the text is read', () => {
    const { config, problems } = parseConfig('[LogOutput]\nmessage_matcher = "%ENV[M]%ENV[NONE]"\ncan_exit = %ENV[YES]', 'p.toml', {
      environment: { M: 'Pid == 1', YES: 'true' },
    });
    expect(problems).toEqual([]);
    expect(config.outputs[0]).toMatchObject({ message_matcher: 'Pid == 1', can_exit: true });
  });

  it.each([
    ['[a]\nb = "%ENV[HO ME]"', 'p.toml:2: %ENV[ needs a name without white space'],
    ['a = "%ENV[HOME\n]"', 'p.toml:1: %ENV[ needs a name without white space'],
    ['# %ENV[HOME', 'p.toml:1: %ENV[HOME is not closed by ]'],
  ])('%j is refused', (text, problem) => expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]));

  it.each(['toString', 'constructor', '__proto__'])('%s is one only where it is set', (name) => {
    const { config, remarks } = parseConfig(`[svcd]\nhostname = "a%ENV[${name}]b"`, 'p.toml', { environment: {} });
    expect(config.service.hostname).toBe('ab');
    expect(remarks).toEqual([expect.stringContaining(`%ENV[${name}] is not set`)]);
  });

  it('do not move the lines that problems name', () => {
    const environment = { LINES: 'a\nb\nc', X: '' };
    expect(problemsOf('[svcd]\n# %ENV[X]%ENV[X]\nhostname = """%ENV[LINES]"""\nmaxprocs = 0', environment)).toEqual([
      'p.toml:4: [svcd] maxprocs: must be at least 1, not 0',
    ]);
    expect(problemsOf('hostname = """%ENV[LINES]"""\nmaxprocs = = 0', environment)).toEqual([
      expect.stringMatching(/^p\.toml:2: is not valid TOML/),
    ]);
  });
});

describe('loadConfig', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'));
    await mkdir(join(folder, 'd'));
    await mkdir(join(folder, 'empty'));
    await writeFile(
      join(folder, 'd', '20-local.toml'),
      '[http_status]\nticker_interval = -5\n[http_status.config]\nrows = 60\n[svcd]\nmaxprocs = 2\n',
    );
    await writeFile(
      join(folder, 'd', '10-base.toml'),
      '\ufeff[http_status]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\nticker_interval = 60\n[http_status.config]\nrows = 1440\ntitle = "x"\n',
    );
    await writeFile(join(folder, 'd', '30-more.toml'), '[http_status]\nticker_interval = 5\nplugin = "http_stats"\n');
    await writeFile(join(folder, 'd', '25-broken.toml'), '[oops\n');
    await writeFile(join(folder, 'd', 'notes.txt'), 'no configuration');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('merges the files of a directory, the later ones winning', async () => {
    const { problems } = await loadConfig(join(folder, 'd'), { bundled });
    expect(problems.map(formatProblem)).toEqual([
      expect.stringContaining('25-broken.toml:1: is not valid TOML'),
      `${join(folder, 'd', '30-more.toml')}:3: [http_status] plugin: there is no bundled filter "http_stats" (did you mean http_status?)`,
    ]);
    await writeFile(join(folder, 'd', '30-more.toml'), '[http_status]\nticker_interval = 5\n');
    await rm(join(folder, 'd', '25-broken.toml'));
    const { config, problems: none } = await loadConfig(join(folder, 'd'), { bundled });
    expect(none).toEqual([]);
    expect(config.filters[0]).toMatchObject({
      ticker_interval: 5,
      config: { rows: 60, title: 'x' },
      origin: { file: join(folder, 'd', '10-base.toml'), line: 1 },
    });
    expect(config.service.maxprocs).toBe(2);
  });

  it.each(['missing.toml', 'empty'])('tells of %s', async (name) => {
    const { problems } = await loadConfig(join(folder, name));
    expect(problems).toEqual([
      expect.objectContaining({ file: join(folder, name), line: 0, text: expect.stringContaining('cannot be read') as string }),
    ]);
  });

  it('refuses a log and a device, which a parser would read for minutes', async () => {
    const log = join(folder, 'access.log');
    await writeFile(log, '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5\n'.repeat(130_000));
    for (const file of process.platform === 'win32' ? [log] : [log, '/dev/zero']) {
      const { problems } = await loadConfig(file);
      expect(problems).toEqual([
        expect.objectContaining({
          file,
          line: 0,
          text: 'has more than 8 MiB: it is no configuration',
          hint: expect.stringContaining('decode') as string,
        }),
      ]);
    }
  });

  it('refuses more sections than there can be inputs, and tells the lines of many quickly', () => {
    const sections = (count: number): string => Array.from({ length: count }, (_, i) => `[s${i}]\ntype = "None"\n`).join('');
    const most = parseConfig(sections(10_000), 'x.toml').problems;
    expect([most.length, most.at(-1)?.line]).toEqual([10_000, 20_000]);
    const { problems } = parseConfig(sections(10_001), 'x.toml');
    expect(problems.map(({ line, text }) => [line, text])).toEqual([[0, 'has more than 10,000 sections: remove those that nobody needs']]);
  });
});
