/** The processes that run scripts are killed again and again, also while they start: no script is blamed, in no role, and all goes through once. */
import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { cliMain } from './run-cli.ts';

let folder: string;
let running: ChildProcess | null = null;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sluicebox-hosts-'))));
afterEach(() => {
  running?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const path = (name: string): string => JSON.stringify(at(name));
const lines = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `line ${from + i}`);
const linesOf = (name: string): string[] => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').split('\n').slice(0, -1) : []);

/** Processes that a process has started (Linux: the `stat` of proc(5)). */
function childrenOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

const SCRIPTS = {
  'in.js': `function process_message() {
  for (let text = read_input(); text !== null; text = read_input()) inject_message({ Type: 'read', Payload: text });
  return 0;
}`,
  'decoder.js': `function process_message() { inject_message({ Type: 'decoded', Payload: read_message('Payload') }); return 0; }`,
  'filter.js': `let seen = 0;
function process_message() { seen++; return 0; }
function timer_event() { inject_payload('txt', 'seen', String(seen)); }`,
  'line.js': `function process_message() { inject_payload('txt', '', read_message('Payload'), '\\n'); return 0; }`,
  'to.js': `function process_message() { write_output(read_message('Payload'), '\\n'); return 0; }`,
} as const;

const config = (): string => `[decoded]
type = "FileInput"
paths = [${path('a.log')}]
decoder = "decoder"
[decoder]
type = "SandboxDecoder"
filename = "decoder.js"
[read]
type = "SandboxInput"
filename = "in.js"
[read.source]
type = "FileInput"
paths = [${path('a.log')}]
splitter = "line"
[count]
type = "SandboxFilter"
filename = "filter.js"
message_matcher = "Type == 'decoded'"
timer_event_on_shutdown = true
[line]
type = "SandboxEncoder"
filename = "line.js"
[encoded]
type = "FileOutput"
path = ${path('encoded.txt')}
message_matcher = "Type == 'decoded'"
encoder = "line"
[written]
type = "SandboxOutput"
filename = "to.js"
message_matcher = "Type == 'read'"
[written.target]
type = "FileOutput"
path = ${path('written.txt')}
[counts]
type = "FileOutput"
path = ${path('counts.txt')}
message_matcher = "Fields[payload_name] == 'seen'"
encoder = "line"
`;

it.runIf(process.platform === 'linux')('no script is to blame for it', async () => {
  for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(at(name), text);
  writeFileSync(at('p.toml'), config());
  writeFileSync(at('a.log'), '');
  const env = { ...process.env, SLUICEBOX_DATA: at('data') };
  const args = ['--disable-warning=ExperimentalWarning', cliMain, 'run', at('p.toml')];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  running = child;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const gone = new Set<number>();
  /** Sends a signal to all hosts of now; those that it does not end go on. */
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    const hosts = await until(
      () => {
        const alive = childrenOf(child.pid).filter((pid) => !gone.has(pid));
        return alive.length > 0 ? alive : null;
      },
      () => `hosts: ${said}`,
    );
    for (const host of hosts) {
      if (signal === 'SIGKILL' || signal === 'SIGSEGV') gone.add(host);
      try {
        process.kill(host, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  // While they start, and so do the scripts.
  await kill('SIGKILL');
  await kill('SIGTERM');
  const COUNT = 2000;
  let written = 0;
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGINT', 'SIGKILL'] as const) {
    appendFileSync(at('a.log'), `${lines(written, written + COUNT).join('\n')}\n`);
    const before = linesOf('encoded.txt').length;
    await until(
      () => linesOf('encoded.txt').length > before,
      () => `further lines: ${said}`,
    );
    await kill(signal);
    written += COUNT;
  }
  await until(
    () => linesOf('encoded.txt').length >= written && new Set(linesOf('written.txt')).size >= written,
    () => `all lines: ${said}`,
  );
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(said).not.toMatch(/has ended|terminated|brought its host down/);
  expect(linesOf('encoded.txt')).toEqual(lines(0, written));
  expect([...new Set(linesOf('written.txt'))]).toEqual(lines(0, written));
  expect(linesOf('counts.txt'), said).toEqual([String(written)]);
});
