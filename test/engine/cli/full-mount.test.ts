/** A service whose `base_dir` is on a disk that is full for a while: disk buffers and checkpoints wait or are counted, and nothing in part is taken for whole. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CAN_MOUNT, SmallDisk } from '../../small-disk.ts';
import { until } from '../../until.ts';
import { startCommand, type RunningCommand } from './start-command.ts';

let folder: string;
let disk: SmallDisk;
let running: RunningCommand | null = null;

const at = (name: string): string => join(folder, name);
const lines = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `line ${from + i} `.padEnd(200, '.'));
const log = (from: number, to: number): void => appendFileSync(at('a.log'), `${lines(from, to).join('\n')}\n`);
const out = (): string[] => (existsSync(at('out.txt')) ? readFileSync(at('out.txt'), 'utf8').split('\n').slice(0, -1) : []);

/** Starts the service; its exit code. */
function start(): Promise<number | null> {
  running = startCommand(['run', at('p.toml')]);
  return running.ended;
}
const said = (): string => running?.err() ?? '';

function configure(output: string): void {
  const payload = 'function process_message() { inject_payload("txt", "", read_message("Payload"), "\\n"); return 0; }\n';
  writeFileSync(at('line.js'), payload);
  writeFileSync(
    at('p.toml'),
    `[svcd]
base_dir = ${JSON.stringify(disk.at('base'))}
[in]
type = "FileInput"
paths = [${JSON.stringify(at('a.log'))}]
[line]
type = "SandboxEncoder"
filename = "line.js"
[out]
type = "FileOutput"
path = ${JSON.stringify(at('out.txt'))}
message_matcher = "Type == 'logfile'"
encoder = "line"
${output}`,
  );
}

describe.runIf(CAN_MOUNT)('a service on a full disk, where file systems can be mounted', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluicebox-mount-'));
    disk = new SmallDisk(16 << 10);
  });
  afterEach(async () => {
    await running?.[Symbol.asyncDispose]();
    running = null;
    disk[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const buffered = (action: string): string => `use_buffering = true\n[out.buffering]\nfull_action = "${action}"\n`;
  const allWritten = (count: number): Promise<unknown> =>
    until(
      () => new Set(out()).size === count,
      () => `${count} lines, of which ${new Set(out()).size} are there: ${said()}`,
    );
  const isSaid = (what: string): Promise<unknown> =>
    until(
      () => said().includes(what),
      () => `${what}: ${said()}`,
    );

  it('a disk buffer that blocks goes on where it was, each line once', async () => {
    log(0, 100);
    configure(buffered('block'));
    const ended = start();
    await allWritten(100);
    disk.fill();
    log(100, 8000);
    await isSaid('its buffer in ');
    expect(said()).toContain('ENOSPC');
    expect(new Set(out()).size).toBeLessThan(8000);
    disk.free();
    await allWritten(8000);
    running?.child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(out()).toEqual(lines(0, 8000));
    expect(said()).toContain('its buffer can be written again');
  });

  it('a disk buffer that stops the service has the rest at the next start', async () => {
    log(0, 100);
    configure(buffered('shutdown'));
    const ended = start();
    await allWritten(100);
    disk.fill();
    log(100, 8000);
    expect(await ended).toBe(1);
    expect(said()).toContain('ENOSPC');
    disk.free();
    const again = start();
    await allWritten(8000);
    running?.child.kill('SIGTERM');
    expect(await again).toBe(0);
    expect([...new Set(out())]).toEqual(lines(0, 8000));
  });

  it('a disk buffer that drops has counted what is not there', async () => {
    log(0, 100);
    configure(buffered('drop'));
    const ended = start();
    await allWritten(100);
    disk.fill();
    log(100, 8000);
    await isSaid('messages are lost');
    disk.free();
    log(8000, 8100);
    await until(
      () => out().at(-1) === lines(8099, 8100)[0],
      () => `the last line: ${said()}`,
    );
    running?.child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const lost = [...said().matchAll(/; (\d+) messages are lost/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(out().length + lost).toBe(8100);
    expect(new Set(out()).size).toBe(out().length);
  });

  it('a checkpoint that cannot be written makes lines come again after a kill, and loses none', async () => {
    log(0, 100);
    configure('');
    let ended = start();
    await allWritten(100);
    disk.fill();
    log(100, 200);
    await allWritten(200);
    await isSaid('cannot be written');
    running?.child.kill('SIGKILL');
    await ended;
    disk.free();
    ended = start();
    log(200, 300);
    await allWritten(300);
    expect(said()).not.toContain('checkpoint');
    disk.fill();
    log(300, 400);
    await isSaid('cannot be written');
    disk.free();
    await isSaid('is written again');
    running?.child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const before = out().length;
    // All of it is known to be through.
    ended = start();
    log(400, 401);
    await until(() => out().length > before, 'the last line');
    running?.child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(out().slice(before)).toEqual(lines(400, 401));
    expect([...new Set(out())]).toEqual(lines(0, 401));
  });
});
