import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { frame } from '../../../../engine/message/protobuf/framing.ts';
import { encodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { cliMain, fileOf, sluicebox } from '../run-cli.ts';

const record = (payload: string): Uint8Array =>
  frame(encodeMessage({ uuid: new Uint8Array(16), timestamp: 1n, payload, fields: [] }), null, { maxMessageSize: 1 << 20 });
const stream = (...payloads: string[]): Buffer => Buffer.concat(payloads.map(record));
const payloads = (lines: readonly Record<string, unknown>[]): unknown[] => lines.map(({ Payload }) => Payload);

describe('sluicebox cat', () => {
  it('reads several files and standard input, one after the other, and goes on when one cannot be read', async () => {
    const one = fileOf('one.pb', stream('1', '2'));
    const two = fileOf('two.pb', stream('4'));
    const result = await sluicebox(['cat', one, '-', '/nowhere/x.pb', two], stream('3'));
    expect(payloads(result.lines())).toEqual(['1', '2', '3', '4']);
    expect(result.code).toBe(2);
    expect(result.err).toMatch(/\/nowhere\/x\.pb does not exist/);
  });

  it.each<{ tail: string; out: string[] }>([
    { tail: '0', out: [] },
    { tail: '2', out: ['b', 'c'] },
    { tail: '9', out: ['a', 'b', 'c'] },
  ])('prints the last $tail of all files that match', async ({ tail, out }) => {
    const one = fileOf('one.pb', stream('a', 'x', 'b'));
    const two = fileOf('two.pb', stream('c', 'x'));
    const result = await sluicebox(['cat', '--tail', tail, '--match', "Payload != 'x'", one, two]);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(payloads(result.lines())).toEqual(out);
  });

  it('prints the last of more messages than one batch holds', async () => {
    const many = fileOf('many.pb', stream(...Array.from({ length: 5000 }, (_, i) => String(i))));
    const result = await sluicebox(['cat', '--tail', '2500', many]);
    expect(payloads(result.lines())).toEqual(Array.from({ length: 2500 }, (_, i) => String(2500 + i)));
  });

  it('writes large messages as they are', async () => {
    const bytes = stream('x'.repeat(100_000));
    const result = await sluicebox(['cat', '--to', 'protobuf', fileOf('large.pb', bytes)]);
    expect(result.err).toBe('');
    expect(result.out).toBe(bytes.toString());
  });

  it.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('unpacks %s, as match does, and says what was cut off', async (_what, pack) => {
    const packed = pack(stream(...Array.from({ length: 5000 }, (_, i) => String(i))));
    const path = fileOf('packed.pb', packed);
    const whole = await sluicebox(['cat', '--tail', '1', path]);
    expect([whole.code, whole.err, payloads(whole.lines())]).toEqual([0, '', ['4999']]);
    expect(await sluicebox(['match', '-c', 'TRUE', path, '-'], packed)).toMatchObject({ code: 0, err: '', out: '10000\n' });
    const json = pack(Buffer.from('{"Payload":"a"}\n'));
    expect(await sluicebox(['match', '-c', 'TRUE', '-'], json)).toMatchObject({ code: 0, err: '', out: '1\n' });
    const cut = await sluicebox(['match', '-c', 'TRUE', fileOf('cut.pb', packed.subarray(0, packed.length - 100))]);
    expect([cut.code, Number(cut.out) > 0]).toEqual([2, true]);
    expect(cut.err).toMatch(/cut\.pb.*(?:damaged|ends)/);
  });

  it('follows a file that grows in the middle of a record and is cut short', async () => {
    const file = fileOf('growing.pb', stream('a', 'b'));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cliMain, 'cat', '--follow', '--tail', '1', file]);
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    const seen = (): string[] => [...out.matchAll(/"Payload":"(\w+)"/g)].map(([, payload = '']) => payload);
    const next = stream('c');
    await expect.poll(seen).toEqual(['b']);
    appendFileSync(file, next.subarray(0, 10));
    appendFileSync(file, next.subarray(10));
    await expect.poll(seen).toEqual(['b', 'c']);
    writeFileSync(file, stream('d'));
    await expect.poll(seen).toEqual(['b', 'c', 'd']);
    expect(err).toMatch(/was cut short/);
    child.kill('SIGINT');
    expect(await new Promise((done) => child.on('close', done))).toBe(130);
  });

  it.each<{ args: string[]; err: RegExp }>([
    { args: ['--follow'], err: /--follow needs exactly one file/ },
    { args: ['--follow', 'a', 'b'], err: /--follow needs exactly one file/ },
    { args: ['--to', 'xml'], err: /--to must be one of json, protobuf, text/ },
    { args: ['--tail', '-'], err: /--tail/ },
    { args: ['--match', 'Type ='], err: /--match/ },
  ])('refuses $args', async ({ args, err }) => {
    const result = await sluicebox(['cat', ...args]);
    expect(result.code).toBe(2);
    expect(result.err).toMatch(err);
  });
});

describe('sluicebox match', () => {
  const json = '{"Timestamp":"1","Payload":"a"}\nno json\n{"Timestamp":"1","Payload":"b"}\n';

  it('counts over several files, recognising each by itself', async () => {
    const lines = fileOf('lines.json', json);
    const framed = fileOf('framed.pb', stream('a', 'a', 'c'));
    const result = await sluicebox(['match', '-c', "Payload == 'a'", lines, framed]);
    expect(result).toMatchObject({ code: 2, out: '3\n' });
    expect(result.err).toMatch(/lines\.json:2: /);
    const inverted = await sluicebox(['match', '-v', "Payload == 'a'", lines, framed]);
    expect(payloads(inverted.lines())).toEqual(['b', 'c']);
  });

  it.each<{ from: string; input: string | Uint8Array; code: number }>([
    { from: 'json', input: stream('a'), code: 2 },
    { from: 'protobuf', input: json, code: 1 },
    { from: 'auto', input: '', code: 1 },
  ])('takes what it is told to be $from', async ({ from, input, code }) => {
    const result = await sluicebox(['match', '--from', from, 'TRUE', '-'], input);
    expect(result.code).toBe(code);
    expect(result.out).toBe('');
    expect(result.err === '').toBe(from === 'auto');
  });
});
