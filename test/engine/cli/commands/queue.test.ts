import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFolder } from '../../../../engine/cli/folder-lock.ts';
import { encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { DiskQueue } from '../../../../engine/queue/disk-queue.ts';
import { encodeRecord } from '../../../../engine/queue/record.ts';
import { sluicebox } from '../run-cli.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
const message = (payload: string): Uint8Array =>
  encodeMessage({ uuid: new Uint8Array(16), timestamp: 1_700_000_000_000_000_000n, type: 'a', payload, fields: [] });

async function fill(name: string, payloads: readonly string[]): Promise<void> {
  const path = at(`state/output_queue/${name}`);
  const queue = await DiskQueue.open({ path, maxFileSize: 0, maxBufferSize: 0, cursorUpdateCount: 0, onProblem: () => undefined });
  await queue.append(payloads.map((payload) => encodeRecord(message(payload), { loop: 0, injected: false })));
  await queue.close();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-queue-'));
  const output = '[up-stream]\ntype = "TcpOutput"\naddress = "127.0.0.1:1"\nmessage_matcher = "TRUE"\n';
  writeFileSync(at('c.toml'), `[svcd]\nbase_dir = "state"\n${output}`);
  await fill('up_stream', ['one', 'two', 'three']);
  await fill('empty', []);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const queue = (...args: string[]) => sluicebox(['queue', ...args]);

describe('queue list', () => {
  it('names what waits, by the sections of the configuration', async () => {
    const { code, out } = await queue('list', at('c.toml'));
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['NAME', 'MESSAGES', 'BYTES', 'OLDEST'],
      ['empty', '0', '0 B', '–'],
      ['up-stream', '3', expect.stringMatching(/^\d+ B$/), '2023-11-14T22:13:20Z'],
      [''],
    ]);
  });

  it('takes the folder as well, and prints JSON', async () => {
    const { lines } = await queue('list', '--json', at('state'));
    expect(lines()).toMatchObject([
      { name: 'empty', messages: 0, oldest: null, service: null },
      { name: 'up_stream', messages: 3, oldest: '2023-11-14T22:13:20Z' },
    ]);
  });
});

it('queue peek prints the first messages, and takes none away', async () => {
  expect((await queue('peek', '-n', '2', at('c.toml'), 'up-stream')).lines().map(({ Payload }) => Payload)).toEqual(['one', 'two']);
  expect((await queue('peek', '--to', 'text', at('c.toml'), 'up-stream')).out).toContain('three');
  const { out } = await queue('peek', '--to', 'protobuf', at('c.toml'), 'up-stream');
  expect(out).toContain('\x1e');
});

describe('queue drain', () => {
  it('moves all messages into a file', async () => {
    expect(await queue('drain', '--out', at('out'), at('c.toml'), 'up-stream')).toMatchObject({
      code: 0,
      err: 'sluicebox: 3 messages drained\n',
    });
    expect(readFileSync(at('out'), 'utf8').trim().split('\n')).toHaveLength(3);
    expect((await queue('list', '--json', at('state'))).lines()).toMatchObject([{ messages: 0 }, { messages: 0 }]);
  });

  it('prints them, or throws them away', async () => {
    expect((await queue('drain', '--out', '-', at('c.toml'), 'up-stream')).lines()).toHaveLength(3);
    await fill('up_stream', ['four']);
    expect(await queue('drain', '--drop', at('c.toml'), 'up-stream')).toMatchObject({
      code: 0,
      out: '',
      err: 'sluicebox: 1 message dropped\n',
    });
  });

  it('is refused while a service works there', async () => {
    const release = claimFolder(at('state'), () => undefined);
    const { code, err } = await queue('drain', '--drop', at('c.toml'), 'up-stream');
    expect([code, err]).toEqual([1, expect.stringContaining('works with the buffers in')]);
    release();
    expect((await queue('list', '--json', at('state'))).lines()[1]).toMatchObject({ messages: 3 });
  });

  it('is refused for a folder that no service locks, unless one says that none runs', async () => {
    writeFileSync(at('shared.toml'), readFileSync(at('c.toml'), 'utf8').replace('[svcd]\nbase_dir = "state"\n', ''));
    const env = { SLUICEBOX_DATA: at('state') };
    const drain = ['queue', 'drain', '--drop', at('shared.toml'), 'up-stream'];
    expect(await sluicebox(drain, '', env)).toMatchObject({ code: 2, err: expect.stringContaining('--anyway') as string });
    expect(await sluicebox([...drain, '--anyway'], '', env)).toMatchObject({ code: 0, err: 'sluicebox: 3 messages dropped\n' });
  });
});

it.each([
  [['list'], 'needs the configuration'],
  [['lst', 'x'], 'must be one of list, peek, drain'],
  [['peek', 'c.toml'], 'needs the name'],
  [['peek', 'c.toml', 'upstream'], 'upstream has no disk buffer: did you mean up-stream?'],
  [['drain', 'c.toml', 'up-stream'], 'needs either --out FILE or --drop'],
  [['list', 'none.toml'], 'none.toml: cannot be read: it does not exist'],
])('queue %j is refused', async (args, text) => {
  const { code, err } = await queue(...args.map((word) => (word.endsWith('.toml') ? at(word) : word)));
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
});
