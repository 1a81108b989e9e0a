import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import { expectLinear } from '../../growth.ts';
import { problemsOf } from './fixtures.ts';

const filter = '[f]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\n';

/** Text, and what is wrong with it. */
const table: readonly [string, string[]][] = [
  ['', []],
  ['a = 1', ['p.toml:1: a: stands outside of all sections (a section begins with its name in brackets)']],
  [
    '[x]',
    [
      `p.toml:1: [x]: has no type (known are FileInput, UdpInput, TcpInput, FilePollingInput, ProcessInput, HttpListenInput, HttpInput, OtlpInput, FluentForwardInput, BeatsInput, RelpInput, NatsInput, StatsdInput, StatAccumInput, SandboxInput, SandboxDecoder, SandboxFilter, SandboxManagerFilter, RulesFilter, SandboxEncoder, SandboxOutput, LogOutput, FileOutput, ParquetOutput, TcpOutput, UdpOutput, HttpOutput, SmtpOutput, ElasticSearchOutput, OtlpOutput, NatsOutput)`,
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
  [
    '[a]\ntype = "TcpInput"\naddress = ":1"\ncompression = "single"\nsplitter = "none"\n[b]\ntype = "TcpInput"\naddress = ":2"\ncompression = "single"',
    ['p.toml:4: [a] compression: single needs the splitter line: rsyslog counts the octets of each compressed message'],
  ],
  [
    '[UdpInput]\naddress = ":1"\ncompression = "single"\ngelf = true',
    [
      'p.toml:3: [UdpInput] compression: single is for datagrams of syslog: it goes neither with gelf, which is unpacked anyway, nor with the splitter framing',
    ],
  ],
  ['[admin]\nadress = ":1"', ['p.toml:2: [admin] adress: is not a parameter of this section (did you mean address?)']],
  ['[admin]\ntype = "FileInput"', ['p.toml:1: [admin] paths: is required']],
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

describe('values within values', () => {
  const nested = (depth: number): string => `[a]\nconfig = ${'{a='.repeat(depth)}1${'}'.repeat(depth)}`;

  it('take no more time for each the deeper they are', () => expectLinear((depth) => parseConfig(nested(depth), 'p.toml'), 800));

  it.each([1001, 2000, 50_000])('%i deep are refused', (depth) => {
    expect(problemsOf(nested(depth))).toEqual([expect.stringMatching(/^p\.toml:2: is not valid TOML.*excessively nested/)]);
  });
});
