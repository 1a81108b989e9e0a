import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPlugin } from '../../../../engine/plugins/catalog.ts';
import { tableOf } from '../../../../engine/workspace/sources/table-columns.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';
import { until } from '../../../until.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../../resources/samples/access.log');
const COMBINED = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

describe('the beginning of a file', () => {
  it('is there before anything is decoded', async () => {
    const engine = new Engine();
    const text = `first\n${'x'.repeat(5000)}\n${'more\n'.repeat(200)}`;
    const file = await engine.open(engine.file('a.log', text));
    const { lines } = await engine.ask('source.head', { id: file });
    expect(lines).toHaveLength(100);
    expect(lines.slice(0, 3)).toEqual(['first', 'x'.repeat(2000), 'more']);
    const missing = await engine.open(join(engine.folder, 'missing.log'));
    expect(await engine.ask('source.head', { id: missing })).toEqual({ lines: [] });
    await engine.workspace.stop();
  });
});

describe('a file that no decoder knows', () => {
  let engine: Engine;
  beforeAll(() => void (engine = new Engine(undefined, startSandboxes())));
  afterAll(() => engine.workspace.stop());

  it('has the time at which it was written, and says that it was not recognised until somebody chooses', async () => {
    const path = engine.file('words.txt', 'free words\nmore of them\n');
    utimesSync(path, 1_600_000_000, 1_600_000_000);
    const id = await engine.open(path);
    await engine.settled(id);
    expect(await engine.source(id)).toMatchObject({ decoder: null, unrecognised: true });
    expect((await engine.rows({ sources: [id] })).rows.map(({ time }) => time)).toEqual([1_600_000_000_000, 1_600_000_000_000]);
    await engine.ask('source.decoder', { id, decoder: 'regex', config: { pattern: '^(?<message>.*)$' } });
    await until(async () => (await engine.source(id))?.decoder?.name === 'regex', 'the chosen decoder');
    expect(await engine.source(id)).not.toHaveProperty('unrecognised');
  });

  it('shows which records of a general reading have no time of their own', async () => {
    const id = await engine.open(engine.file('mixed.log', 'starting up\n2021-03-05 13:07 ready\n2021-03-05 13:08 done\n'));
    await engine.settled(id);
    const { rows } = await engine.rows({ sources: [id] });
    expect((await engine.source(id))?.decoder?.name).toBe('generic');
    expect(rows.map(({ undated }) => undated)).toEqual([true, undefined, undefined]);
    expect(new Date(rows[0]?.time ?? 0).toISOString()).toBe('2021-03-05T13:07:00.000Z');
  });
});

describe('a preview', () => {
  let engine: Engine;
  let id: number;

  beforeAll(async () => {
    engine = new Engine(undefined, startSandboxes());
    id = await engine.open(SAMPLE);
    await until(async () => (await engine.source(id))?.state === 'following', 'the end of the file');
  });
  afterAll(() => engine.workspace.stop());

  it('shows what a decoder makes of the first records', async () => {
    const preview = await engine.ask('decoder.preview', { id, decoder: 'nginx_access', config: { log_format: COMBINED } });
    expect(preview).toMatchObject({ tried: 50, failed: 0, reason: null });
    expect(preview.records).toHaveLength(3);
    expect(preview.records[0]?.time).toBe(Date.UTC(2026, 2, 17, 2, 30, 20));
    expect(preview.records[0]?.fields.find(({ name }) => name === 'body_bytes_sent')).toMatchObject({ values: ['2'], representation: 'B' });
  });

  it('reads dates without a year as of the time of the file', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sluicebox-preview-')), 'old.log');
    writeFileSync(path, 'Dec 31 23:59:58 box1 app: old\nJan  1 00:00:01 box1 app: new\n');
    utimesSync(path, Date.UTC(2019, 0, 1) / 1000, Date.UTC(2019, 0, 1) / 1000);
    const old = await engine.open(path);
    await until(async () => (await engine.source(old))?.state === 'following', 'the end of the file');
    const preview = await engine.ask('decoder.preview', { id: old, decoder: 'rfc3164', config: {} });
    expect(preview.records.map(({ time }) => time)).toEqual([Date.UTC(2018, 11, 31, 23, 59, 58), Date.UTC(2019, 0, 1, 0, 0, 1)]);
    rmSync(dirname(path), { recursive: true });
  });

  it('says why a decoder refuses them, or its parameters', async () => {
    const refused = await engine.ask('decoder.preview', { id, decoder: 'rfc5424', config: {} });
    expect(refused).toMatchObject({ tried: 50, failed: 50, records: [] });
    expect(refused.reason).not.toBe('');
    const wrong = engine.ask('decoder.preview', { id, decoder: 'syslog', config: { nonsense: 1 } });
    await expect(wrong).rejects.toMatchObject({ code: 'plugin.parameter' });
    await expect(engine.ask('decoder.preview', { id, decoder: 'nobody', config: {} })).rejects.toMatchObject({ code: 'plugin.unknown' });
  });

  it('takes what a listener has received', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
    const { port } = socket.address();
    await new Promise<void>((done) => socket.close(done));
    const { id: listener } = await engine.ask('source.listen', { protocol: 'udp', host: '127.0.0.1', port });
    await expect.poll(async () => (await engine.source(listener))?.state).toBe('listening');
    const sender = createSocket('udp4');
    sender.send('<34>1 2026-03-14T06:25:01Z box su - - - hello', port, '127.0.0.1');
    await expect.poll(async () => (await engine.source(listener))?.records).toBe(1);
    sender.close();
    // It is counted a moment before it can be read back.
    const preview = (): Promise<unknown> => engine.ask('decoder.preview', { id: listener, decoder: 'rfc5424', config: {} });
    await expect.poll(preview).toMatchObject({ tried: 1, failed: 0, records: [{ payload: 'hello', severity: 2 }] });
  });

  it('lists the parameters of every decoder', async () => {
    const decoders = await engine.ask('decoder.list', {});
    const format = decoders.find(({ name }) => name === 'nginx_access')?.parameters.find(({ name }) => name === 'log_format');
    expect(format).toMatchObject({ type: 'string' });
    expect(format?.summary).not.toBe('');
  });

  it('names the columns that say most of the records', async () => {
    expect((await engine.source(id))?.columns).toEqual(['status', 'request', 'remote_addr', 'body_bytes_sent']);
  });
});

describe('tableOf', () => {
  it('shows more fields where the records have no texts, unless the decoder names them', () => {
    const seen = { fields: [...'abcdefghijklmnop'], lengths: new Map([['b', 7]]), headers: { several: [] }, texts: false };
    const columns = [...'abcdefghijkl'];
    const lengths = { b: 7 };
    expect(tableOf(undefined, seen)).toEqual({ columns, tabular: true, lengths });
    expect(tableOf(['b', 'x'], seen)).toEqual({ columns: ['b'], tabular: false, lengths });
  });

  it.each([
    ['syslog', ['syslogfacility', 'programname'], ['programname']],
    ['nginx_error', ['tid', 'connection'], []],
    ['program_log', ['code', 'thread'], ['thread']],
    ['json_lines', ['a', 'decode_failure', 'b', 'c', 'd', 'e'], ['a', 'b', 'c', 'd']],
    [
      'json_lines',
      ['__CURSOR', '_PID', 'SYSLOG_IDENTIFIER', '_UID', 'decode_error', 'UNIT'],
      ['SYSLOG_IDENTIFIER', 'UNIT', '_PID', '_UID'],
    ],
  ])('of %s', (decoder, seen, expected) => {
    const { columns } = findPlugin('decoder', decoder).meta ?? {};
    const seenOf = (several: ('Hostname' | 'Logger' | 'Pid')[]) => ({
      fields: seen,
      lengths: new Map(),
      headers: { several },
      texts: true,
    });
    expect(tableOf(columns, seenOf([]))).toEqual({ columns: expected, tabular: false, lengths: {} });
    expect(tableOf(columns, seenOf(['Hostname', 'Logger', 'Pid'])).columns).toEqual(['Hostname', 'Logger', ...expected]);
  });
});
