import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slowness } from '../../patience.ts';
import { until } from '../../until.ts';
import { childrenOf } from '../../processes.ts';
import { sluicebox } from './run-cli.ts';
import { startCommand, type RunningCommand } from './start-command.ts';

let folder: string;
let server: Server | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-ports-'));
});

afterEach(async () => {
  server?.close();
  server = null;
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): void => writeFileSync(at(name), text);
const env = (): Record<string, string> => ({ SLUICEBOX_DATA: at('data') });
const runToTheEnd = () => sluicebox(['run', at('p.toml'), '--until-idle'], '', env());
const sizeOf = (name: string): number => (existsSync(at(name)) ? statSync(at(name)).size : 0);
const linesOf = (name: string): string[] => readFileSync(at(name), 'utf8').split('\n').slice(0, -1);
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i}`);

const startService = (): RunningCommand => startCommand(['run', at('p.toml')], { env: env() });

/** Ends a service with a signal. */
async function end({ child, ended }: RunningCommand, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal);
  await ended;
}

const LINES = `function process_message() {
  let rest = '';
  for (let text = read_input(); text !== null; text = read_input(rest)) {
    const lines = text.split('\\n');
    rest = lines.pop();
    for (const line of lines) { seen++; inject_message({ Type: 'line', Payload: line, Fields: { seen } }); }
  }
  return 0;
}
var seen = 0;`;
const WRITER = `function process_message() { write_output(read_message('Payload'), ' ', read_message('Fields[seen]'), '\\n'); return 0; }`;

const reading = (more = ''): string =>
  `[in]\ntype = "SandboxInput"\nfilename = "in.js"\n${more}[in.source]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\n`;
const writing = (more = ''): string =>
  `[to]\ntype = "SandboxOutput"\nfilename = "to.js"\nmessage_matcher = "Type == 'line'"\n${more}[to.target]\ntype = "FileOutput"\npath = ${JSON.stringify(at('out.txt'))}\n`;

function setUp(count: number, sections: string): void {
  put('in.js', LINES);
  put('to.js', WRITER);
  put(
    'a.log',
    numbers(count)
      .map((line) => `${line}\n`)
      .join(''),
  );
  put('p.toml', `[svcd]\nlog_flags = 0\n${sections}`);
}

/** How slow a machine is on which a process may have no turn for seconds. */
const STARVED = 5;
const COUNT = 20_000;
const EXACT = numbers(COUNT).map((line, i) => `${line} ${i + 1}`);

describe('scripts at both ends', () => {
  it('lose and double nothing when their hosts are killed in mid-stream', async () => {
    setUp(COUNT, `${reading()}${writing()}`);
    await using service = startService();
    await until(() => sizeOf('out.txt') > 50_000, 'the first lines');
    for (const { pid } of childrenOf(service.child.pid as number)) process.kill(pid, 'SIGKILL');
    await until(() => linesOf('out.txt').at(-1) === EXACT.at(-1), 'the last line');
    await end(service);
    const lines = linesOf('out.txt');
    // Messages of a script are held for five seconds at most: a host that has no turn for so long may make them twice.
    expect(slowness() < STARVED ? lines : [...new Set(lines)]).toEqual(EXACT);
  });

  it('go on where they were when the service is stopped in mid-stream', async () => {
    setUp(COUNT, `${reading()}${writing()}`);
    for (const size of [1, 150_000]) {
      await using service = startService();
      await until(() => sizeOf('out.txt') > size, 'the next lines');
      await end(service);
    }
    await using service = startService();
    await until(() => linesOf('out.txt').length >= COUNT, 'all lines');
    await end(service);
    expect(linesOf('out.txt').map((line) => line.replace(/ \d+$/, ''))).toEqual(numbers(COUNT));
  });

  it('lose nothing when the service is killed', async () => {
    setUp(COUNT, `${reading()}${writing('use_buffering = true\n')}`);
    for (const size of [1, 150_000]) {
      await using service = startService();
      await until(() => sizeOf('out.txt') > size, 'the next lines');
      await end(service, 'SIGKILL');
    }
    await using service = startService();
    const found = (): Set<string> => new Set(linesOf('out.txt').map((line) => line.split(' ', 2).join(' ')));
    await until(
      () =>
        linesOf('out.txt')
          .at(-1)
          ?.startsWith(`line ${COUNT - 1} `),
      'the last line',
    );
    await end(service);
    const there = found();
    expect(numbers(COUNT).filter((line) => !there.has(line))).toEqual([]);
  });
});

/** How long an input's messages are held back until the script is done with the reading behind them. */
const HELD_MS = 5000;

it.runIf(process.platform === 'linux')(
  'what a script has made of its reading is handed on after a while, and comes again when the service is killed before the reading is done with',
  async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const section = (name: string, path: string): string =>
      `[${name}]\ntype = "FileOutput"\npath = ${JSON.stringify(at(path))}\nmessage_matcher = "Type == 'line'"\nencoder = "payload"\n`;
    const encoder = '[payload]\ntype = "SandboxEncoder"\nfilename = "payload.js"\n';
    put('payload.js', "function process_message() { inject_payload('txt', '', read_message('Payload'), '\\n'); return 0; }");
    // Nobody reads the pipe, so this output takes nothing; the other one shows what is handed on.
    setUp(200, `base_dir = ${JSON.stringify(at('base'))}\n${reading()}${encoder}${section('out', 'pipe')}${section('seen', 'seen.txt')}`);
    const slow = `for (const end = Date.now() + ${(HELD_MS * 2) / 100}; Date.now() < end;);`;
    put('in.js', LINES.replace('seen++;', `seen++; ${slow}`));
    const first = startService();
    await until(() => existsSync(at('seen.txt')) && linesOf('seen.txt').length > 0, 'the first lines');
    // The reading is not done with, since the script is still at work on its only piece.
    expect(linesOf('seen.txt').length).toBeLessThan(200);
    await end(first, 'SIGKILL');
    put('in.js', LINES);
    put('p.toml', readFileSync(at('p.toml'), 'utf8').replace(at('pipe'), at('out.txt')));
    expect((await runToTheEnd()).code).toBe(0);
    expect(linesOf('out.txt')).toEqual(numbers(200));
    expect(new Set(linesOf('seen.txt'))).toEqual(new Set(numbers(200)));
  },
);

it.runIf(process.platform === 'linux')(
  'what a script was given by a file is not done with while an output is blocked for long',
  async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const out = `[out]\ntype = "FileOutput"\npath = ${JSON.stringify(at('pipe'))}\nmessage_matcher = "Type == 'line'"\nencoder = "payload"\n`;
    put('payload.js', "function process_message() { inject_payload('txt', '', read_message('Payload'), '\\n'); return 0; }");
    setUp(
      COUNT,
      `base_dir = ${JSON.stringify(at('base'))}\n${reading('preserve_data = true\n')}[payload]\ntype = "SandboxEncoder"\nfilename = "payload.js"\n${out}`,
    );
    const first = startService();
    await until(() => first.err().includes('[out] cannot be delivered to'), first.err);
    // Longer than anything is held back.
    await delay(HELD_MS + 1000);
    await end(first, 'SIGKILL');
    put('p.toml', readFileSync(at('p.toml'), 'utf8').replace(at('pipe'), at('out.txt')));
    expect((await runToTheEnd()).code).toBe(0);
    expect(linesOf('out.txt')).toEqual(numbers(COUNT));
  },
);

describe('an output with a target', () => {
  const source = (): string => `[lines]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\n`;

  it('keeps what its target does not take, and hands it on in order when it does', async () => {
    put(
      'a.log',
      numbers(500)
        .map((line) => `${line}\n`)
        .join(''),
    );
    put('to.js', `function process_message() { write_output(read_message('Payload'), '\\n'); return 0; }`);
    let open = false;
    let received = '';
    server = createServer((socket) => {
      if (open) socket.setEncoding('utf8').on('data', (text: string) => (received += text));
      else socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const section = `[to]\ntype = "SandboxOutput"\nfilename = "to.js"\nmessage_matcher = "Type == 'logfile'"\nuse_buffering = true\n`;
    const target = (more: string): string =>
      `[to.target]\ntype = "TcpOutput"\naddress = "127.0.0.1:${port}"\n${more}[to.target.retries]\ndelay = "10ms"\nmax_delay = "50ms"\n`;
    put('p.toml', `[svcd]\nlog_flags = 0\n${source()}${section}${target('use_tls = true\n')}`);
    // There is no encryption at the other side: the service stops, and keeps what it could not send.
    await using first = startService();
    await until(() => existsSync(at('data/output_queue/to/0.log')) && sizeOf('data/output_queue/to/0.log') > 10_000, 'the queue');
    await end(first);
    open = true;
    put('p.toml', `[svcd]\nlog_flags = 0\n${source()}${section}${target('')}`);
    await using second = startService();
    await until(() => received.split('\n').length > 500, 'all lines');
    await end(second);
    expect(received).toBe(
      numbers(500)
        .map((line) => `${line}\n`)
        .join(''),
    );
    // All of it counts as delivered now.
    expect((await runToTheEnd()).code).toBe(0);
    expect(received.split('\n')).toHaveLength(501);
  });

  it('writes at its last tick, and drops what a message has written that it refuses', async () => {
    put('a.log', 'a\nbad\nc\n');
    put(
      'to.js',
      `var n = 0; function process_message() { n++; const p = read_message('Payload'); write_output(p, '\\n'); return p === 'bad' ? [-1, 'no'] : 0; }
       function timer_event() { write_output(n, ' lines\\n'); }`,
    );
    put('p.toml', `[svcd]\nlog_flags = 0\n${source()}${writing('timer_event_on_shutdown = true\n').replace("'line'", "'logfile'")}`);
    const { code, err } = await runToTheEnd();
    expect([code, err]).toEqual([0, expect.stringMatching(/^sluicebox: warning: \[to\] no \(1\)\n$/)]);
    expect(linesOf('out.txt')).toEqual(['a', 'c', '3 lines']);
  });

  it('says that it needs one', async () => {
    put('a.log', 'a\n');
    put('to.js', WRITER);
    put(
      'p.toml',
      `[svcd]\nlog_flags = 0\n${source()}[to]\ntype = "SandboxOutput"\nfilename = "to.js"\nmessage_matcher = "Type == 'logfile'"\n`,
    );
    expect((await runToTheEnd()).err).toMatch(/there is no target; give the section a table \[to\.target\]/);
  });
});

describe('check names what is wrong with', () => {
  it.each([
    ['a target without a type', 'to.target', '', /p\.toml:4: \[to\] target\.type: must be LogOutput, /],
    ['a target of another type', 'to.target', 'type = "SandboxOutput"', /p\.toml:5: \[to\] target\.type: must be LogOutput, /],
    [
      'a parameter of a target',
      'to.target',
      'type = "TcpOutput"\nadress = "a:1"',
      /p\.toml:6: \[to\] target\.adress: is not a parameter.*did you mean address\?/,
    ],
    [
      'what a script does itself',
      'to.target',
      'type = "TcpOutput"\nencoder = "json"',
      /p\.toml:6: \[to\] target\.encoder: is not a parameter/,
    ],
    ['a value of a target', 'to.target', 'type = "UdpOutput"\naddress = "x"', /p\.toml:6: \[to\] target\.address: must be host:port/],
    [
      'two that do not go together',
      'to.target',
      'type = "TcpOutput"\nuse_tls = true\nlocal_address = "a:1"',
      /\[to\] target: local_address cannot be used/,
    ],
    ['a source of another type', 'to.source', 'type = "StatsdInput"', /p\.toml:5: \[to\] source\.type: must be FileInput, /],
    ['a parameter of a source', 'to.source', 'type = "FileInput"\npath = "a"', /p\.toml:6: \[to\] source\.path: .*did you mean paths\?/],
    [
      'a decoder of a source',
      'to.source',
      'type = "FileInput"\npaths = ["a"]\ndecoder = "json"',
      /p\.toml:7: \[to\] source\.decoder: is not a parameter/,
    ],
    [
      'a way to cut a source',
      'to.source',
      'type = "UdpInput"\naddress = "a:1"\nsplitter = "framing"',
      /p\.toml:7: \[to\] source\.splitter: must be line, none or regex:/,
    ],
    [
      'a command of a source',
      'to.source',
      'type = "ProcessInput"\n[to.source.command.0]\nbin = ""',
      /p\.toml:7: \[to\] source\.command\.0\.bin: must not be empty/,
    ],
  ])('%s', async (_what, table, text, expected) => {
    const type = table === 'to.target' ? 'SandboxOutput' : 'SandboxInput';
    put('p.toml', `[to]\ntype = "${type}"\nfilename = "x.js"\n[${table}]\n${text}\n`);
    const { out, code } = await sluicebox(['check', at('p.toml')]);
    expect(out).toMatch(expected);
    expect(code).toBe(1);
  });
});
