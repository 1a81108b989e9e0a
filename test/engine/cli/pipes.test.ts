import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { patienceMs } from '../../patience.ts';
import { until } from '../../until.ts';
import { cliMain, fileOf, sluicebox } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-pipes-'));
const node = `${process.execPath} --disable-warning=ExperimentalWarning ${cliMain}`;

/** Runs a line of bash in which `sluicebox` is the command. */
async function bash(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', `cd ${folder}; sluicebox() { ${node} "$@"; }; ${line}`]);
  return stdout;
}

let pipes = 0;
async function fifo(): Promise<string> {
  const path = join(folder, `pipe-${++pipes}`);
  await promisify(execFile)('mkfifo', [path]);
  return path;
}

/** Waits until a process has opened a file; where the system does not tell, as long as that usually takes. */
async function opened(pid: number | undefined, path: string): Promise<void> {
  if (process.platform !== 'linux') return delay(1500);
  const files = `/proc/${pid}/fd`;
  await until(() => readdirSync(files).some((fd) => linkOf(join(files, fd)) === path), `${path} to be opened`);
}

/** Where a link leads; undefined when it is gone. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

const types = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { Type: string }).Type]));

const JSON_LINES = '{"Type":"a"}\n{"Type":"b"}\n';
const JSON_FILE = fileOf('pipes.jsonl', JSON_LINES);
const FRAMED = fileOf('pipes.protobuf', '');

describe.skipIf(process.platform === 'win32')('pipes lose nothing', () => {
  const PASS = fileOf('pass.js', 'export function process_message() { inject_message({ Type: read_message("Type") }); return 0; }');
  const ENCODE = fileOf(
    'own-encoder.js',
    'export function process_message() { inject_payload("text", "", read_message("Type")); return 0; }',
  );

  it('match of a substituted process', async () => {
    expect(types(await bash(`sluicebox match TRUE <(cat ${JSON_FILE})`))).toEqual(['a', 'b']);
  });

  it('filter of a substituted process', async () => {
    expect(types(await bash(`sluicebox filter ${PASS} <(cat ${JSON_FILE})`))).toEqual(['svc.sandbox.a', 'svc.sandbox.b']);
  });

  it('encode of a substituted process', async () => {
    expect((await bash(`sluicebox encode ${ENCODE} --each <(cat ${JSON_FILE})`)).trim().split('\n')).toHaveLength(2);
  });

  it.each(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])('match of standard input as %s, a pipe and a socket', async (name) => {
    expect(types(await bash(`cat ${JSON_FILE} | sluicebox match TRUE ${name}`))).toEqual(['a', 'b']);
    expect(types((await sluicebox(['match', 'TRUE', name], JSON_LINES)).out)).toEqual(['a', 'b']);
    expect(types(await bash(`sluicebox match TRUE ${name} < ${JSON_FILE}`))).toEqual(['a', 'b']);
  });

  it('framed messages of a pipe', async () => {
    await bash(`sluicebox inject --type a - > ${FRAMED}; sluicebox inject --type b - >> ${FRAMED}`);
    expect(types(await bash(`sluicebox cat <(cat ${FRAMED})`))).toEqual(['a', 'b']);
    expect(types(await bash(`sluicebox match TRUE <(cat ${FRAMED})`))).toEqual(['a', 'b']);
  });

  it('standard input twice: it is empty the second time', async () => {
    expect(await sluicebox(['match', 'TRUE', '-', '-'], JSON_LINES)).toMatchObject({ code: 0, err: '' });
    expect(types((await sluicebox(['match', 'TRUE', '-', '/dev/stdin', JSON_FILE], JSON_LINES)).out)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('a substituted process without output', async () => {
    expect(await bash('sluicebox match -c TRUE <(true) || true')).toBe('0\n');
  });

  it('a named pipe whose writers come later', async () => {
    const path = await fifo();
    const reading = sluicebox(['match', 'TRUE', path]);
    await delay(300);
    const first = await open(path, 'w');
    const second = await open(path, 'w');
    await first.write('{"Type":"a"}\n');
    await first.close();
    await delay(100);
    await second.write('{"Type":"b"}\n');
    await second.close();
    expect(types((await reading).out)).toEqual(['a', 'b']);
  });

  it.each(['match TRUE', 'decode logfmt', 'cat', 'cat --follow'])(
    '%s of a pipe that nobody writes to ends at an interrupt',
    async (command) => {
      const path = await fifo();
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, ...command.split(' '), path]);
      await opened(child.pid, path);
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(patienceMs()) })) as [number];
      expect(code).toBe(130);
    },
  );
});

describe.skipIf(process.platform === 'win32')('devices', () => {
  it.each([
    [['decode', 'logfmt', '/dev/null'], 0, ''],
    [['match', 'TRUE', '/dev/null'], 1, ''],
    [['cat', '/dev/null'], 0, ''],
    [['decode', 'logfmt', '/dev/zero'], 2, '/dev/zero is a device that gives zero bytes without end'],
    [['match', 'TRUE', '/dev/zero'], 2, '/dev/zero is a device that gives zero bytes without end'],
    [['cat', '/dev/zero'], 2, '/dev/zero is a device that gives zero bytes without end'],
    [['decode', 'logfmt', '/dev/urandom'], 2, '/dev/urandom is a binary file'],
  ])('%j', async (args, code, err) => {
    const result = await sluicebox(args);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toContain(err);
  });
});
