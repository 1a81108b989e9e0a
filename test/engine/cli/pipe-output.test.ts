/** A service whose outputs write to named pipes that nobody reads. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { cliMain } from './run-cli.ts';

/** More than the threads that read and write files for a process. */
const PIPES = 6;

let folder: string;
let running: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-pipes-'));
  running = [];
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const pipes = Array.from({ length: PIPES }, (_, i) => `pipe-${i}`);

it.skipIf(process.platform === 'win32')(
  'starts, waits for readers, and ends in time; what was not read comes at the next start',
  async () => {
    execFileSync('mkfifo', pipes.map(at));
    writeFileSync(at('a.log'), 'one\ntwo\nthree\n');
    writeFileSync(at('line.js'), 'function process_message() { inject_payload("txt", "", read_message("Payload"), "\\n"); return 0; }\n');
    const outputs = pipes.map(
      (name) =>
        `[${name}]\ntype = "FileOutput"\npath = ${JSON.stringify(at(name))}\nmessage_matcher = "Type == 'logfile'"\nencoder = "line"\n[${name}.retries]\ndelay = "20ms"\nmax_delay = "50ms"\n`,
    );
    writeFileSync(
      at('p.toml'),
      `[svcd]\nbase_dir = ${JSON.stringify(at('base'))}\n[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\n` +
        `[line]\ntype = "SandboxEncoder"\nfilename = "line.js"\n${outputs.join('')}`,
    );
    const start = (): { said: () => string; ended: Promise<unknown>; child: ChildProcess } => {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, 'run', at('p.toml')], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      running.push(child);
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      return { child, said: () => said, ended: new Promise((resolve) => child.once('close', resolve)) };
    };
    const first = start();
    for (const name of pipes) await until(() => first.said().includes(`[${name}] cannot be delivered to`), first.said);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    for (const name of pipes) expect(first.said()).toContain(`[${name}] 3 messages were not written before the end`);
    const second = start();
    for (const name of pipes) {
      const reader = spawn('cat', [at(name)], { stdio: ['ignore', 'pipe', 'ignore'] });
      running.push(reader);
      let text = '';
      reader.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      await until(
        () => text === 'one\ntwo\nthree\n',
        () => `${name}: ${text}${second.said()}`,
      );
    }
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  },
);
