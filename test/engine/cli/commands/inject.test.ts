import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { inject } from '../../../../engine/cli/commands/inject.ts';
import { Output } from '../../../../engine/cli/output.ts';
import { FrameSplitter, type FrameRecord } from '../../../../engine/message/protobuf/framing.ts';
import { decodeMessage } from '../../../../engine/message/protobuf/protobuf.ts';
import { authenticate } from '../../../../engine/message/protobuf/signing.ts';
import { fileOf, sluicebox } from '../run-cli.ts';

const UUID = '00010203-0405-4607-8809-0a0b0c0d0e0f';

const recordsOf = (bytes: Uint8Array): FrameRecord[] => {
  const splitter = new FrameSplitter();
  return [...splitter.push(bytes), ...splitter.end()];
};

describe('sluicebox inject', () => {
  it('writes what cat reads, with every header and type', async () => {
    const file = fileOf('injected.pb', '');
    const headers = ['--type', 'demo', '--logger', 'edge', '--payload', 'a\nb', '--hostname', 'h', '--env-version', '', '--uuid', UUID];
    const numbers = ['--severity', '6', '--pid', '0x10', '--timestamp', '2021-03-05T13:07:59.25+01:00'];
    const fields = [
      ...['--field-double', 'status=200', '--field-int', 'size:B=9007199254740993', '--field-int', 'size[]=300', '--field', 'a\\:b=x=y'],
      ...['--field-bool', 'ok=true', '--field-bytes', 'blob=AAH/', '--field', 'tag=1', '--field', 'tag=', '--field-double', 'd=-inf'],
    ];
    const made = await sluicebox(['inject', ...headers, ...numbers, ...fields, file]);
    expect(made).toMatchObject({ code: 0, out: '', err: '' });
    const read = await sluicebox(['cat', file]);
    expect(read).toMatchObject({ code: 0, err: '' });
    expect(read.lines()).toEqual([
      {
        Uuid: UUID,
        Timestamp: '1614946079250000000',
        ...{ Type: 'demo', Logger: 'edge', Severity: 6, Payload: 'a\nb', EnvVersion: '', Pid: 16, Hostname: 'h' },
        Fields: [
          { name: 'status', value_type: 3, value: [200] },
          { name: 'size', value_type: 2, representation: 'B', value: [expect.anything(), 300] },
          { name: 'a:b', value_type: 0, value: ['x=y'] },
          { name: 'ok', value_type: 4, value: [true] },
          { name: 'blob', value_type: 1, value: ['AAH/'] },
          { name: 'tag', value_type: 0, value: ['1'] },
          { name: 'tag', value_type: 0, value: [''] },
          { name: 'd', value_type: 3, value: ['-inf'] },
        ],
      },
    ]);
    expect(read.out).toContain('9007199254740993');
  });

  it('appends, makes as many as wanted, and leaves unset what is not given', async () => {
    const file = fileOf('appended.pb', '');
    await sluicebox(['inject', '--count', '2', file]);
    await sluicebox(['inject', '--type', 'x', file]);
    const messages = recordsOf(readFileSync(file)).map(({ message }) => decodeMessage(message));
    expect(messages.map(({ type }) => type)).toEqual([undefined, undefined, 'x']);
    expect(new Set(messages.map(({ uuid }) => Buffer.from(uuid).toString('hex'))).size).toBe(3);
    expect(messages[0]).toEqual({ uuid: expect.any(Uint8Array) as Uint8Array, timestamp: expect.any(BigInt) as bigint, fields: [] });
    expect(Math.abs(Number((messages[0]?.timestamp ?? 0n) / 1_000_000n) - Date.now())).toBeLessThan(60_000);
  });

  it.each<{ hash: string }>([{ hash: 'md5' }, { hash: 'sha1' }])('signs with $hash', async ({ hash }) => {
    const file = fileOf(`signed-${hash}.pb`, '');
    const key = fileOf('key', 's3cret\n');
    const result = await sluicebox(['inject', '--signer', 'ops', '--signer-version', '3', '--hmac', hash, '--key-file', key, file]);
    expect(result).toMatchObject({ code: 0, err: '' });
    const [record] = recordsOf(readFileSync(file));
    expect(record?.signature).toMatchObject({ signer: 'ops', keyVersion: 3, hash });
    expect(authenticate(record as FrameRecord, new Map([['ops_3', 's3cret']]))).toBe('ops');
    expect(authenticate(record as FrameRecord, new Map([['ops_3', 'other']]))).toBeNull();
  });

  it('sends over TCP', async () => {
    const received: Buffer[] = [];
    const server = createServer((socket) => socket.on('data', (data: Buffer) => received.push(data)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const result = await sluicebox(['inject', '--payload', 'over tcp', '--count', '3', `tcp://127.0.0.1:${port}`]);
    expect(result).toMatchObject({ code: 0, err: '' });
    const payloads = recordsOf(Buffer.concat(received)).map(({ message }) => decodeMessage(message).payload);
    expect(payloads).toEqual(['over tcp', 'over tcp', 'over tcp']);
    await new Promise((resolve) => server.close(resolve));
    const refused = await sluicebox(['inject', `tcp://127.0.0.1:${port}`]);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/tcp:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });

  it('sends over UDP', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    const datagram = new Promise<Buffer>((resolve) => socket.once('message', resolve));
    const result = await sluicebox(['inject', '--payload', 'over udp', `udp://127.0.0.1:${socket.address().port}`]);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(recordsOf(await datagram).map(({ message }) => decodeMessage(message).payload)).toEqual(['over udp']);
    socket.close();
  });

  it.each<{ args: string[]; error?: string; err: RegExp }>([
    { args: [], err: /inject needs one target/ },
    { args: ['a', 'b'], err: /inject needs one target/ },
    { args: ['udp://localhost', '--type', 'x'], err: /udp:\/\/localhost is not an address/ },
    { args: ['tcp://localhost:70000'], err: /is not an address/ },
    { args: ['http://localhost:80'], err: /can be sent to tcp:\/\/, tls:\/\/ and udp:\/\// },
    { args: ['--severity', 'high', '-'], err: /--severity must be a whole number of 32 bits, not 'high'/ },
    { args: ['--pid', '2147483648', '-'], err: /--pid must be/ },
    { args: ['--timestamp', 'tomorrow', '-'], err: /--timestamp must be nanoseconds .*, not 'tomorrow'/ },
    { args: ['--uuid', 'x', '-'], err: /--uuid must be like/ },
    { args: ['--field', 'novalue', '-'], err: /--field takes NAME=VALUE/ },
    { args: ['--field', '=x', '-'], err: /--field takes NAME=VALUE/ },
    { args: ['--field-int', 'n=1.5', '-'], err: /'1\.5' is not a whole number of 64 bits/ },
    { args: ['--field-int', 'n=9223372036854775808', '-'], err: /is not a whole number of 64 bits/ },
    { args: ['--field-double', 'd=', '-'], err: /'' is not a number/ },
    { args: ['--field-bool', 'b=1', '-'], err: /'1' is not true or false/ },
    { args: ['--field-bytes', 'b=?', '-'], err: /is not bytes in base64/ },
    { args: ['--field', 'a[]=x', '-'], err: /there is no field a yet/ },
    { args: ['--field', 'a=x', '--field-int', 'a[]=1', '-'], err: /values of another type/ },
    { args: ['--count', '-1', '-'], err: /count/ },
    { args: ['--signer', 'ops', '-'], err: /--signer needs --key/ },
    { args: ['--key', 'x', '-'], err: /without --signer/ },
    { args: ['--signer', 'ops', '--key', 'x', '--hmac', 'sha2', '-'], err: /--hmac must be one of md5, sha1/ },
    { args: ['--signer', 'ops', '--key-file', '/nowhere/key', '-'], err: /--key-file cannot be read/ },
    { args: ['--signer', 's'.repeat(250), '--key', 'x', '-'], error: 'EngineError', err: /cannot be framed: a header of/ },
    { args: ['--payload', 'x'.repeat(70_000), '-'], error: 'EngineError', err: /cannot be framed: a message of 70\d+ bytes/ },
    { args: ['/nowhere/file.pb'], error: 'EngineError', err: /\/nowhere\/file\.pb: ENOENT/ },
  ])('refuses $args', async ({ args, error = 'UsageError', err }) => {
    const written = new PassThrough();
    const context = { out: new Output(written), complain: () => undefined, signal: new AbortController().signal };
    const refused: unknown = await inject.run(args, context).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ message: expect.stringMatching(err) as string });
    expect((refused as Error).name).toBe((refused as { code?: string }).code?.startsWith('ERR_PARSE') ? 'TypeError' : error);
    expect(written.read()).toBeNull();
  });
});

describe('a stream that is composed by hand', () => {
  const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');
  const MESSAGE = hex(`
    0a10 000102030405460788090a0b0c0d0e0f 10 8094ebdc03 1a04 64656d6f 28 06
    52 13 0a06 737461747573 1003 39 0000000000006940
    52 10 0a04 73697a65 1002 1a01 42 32 03 05ac02
    52 09 0a04 686f7374 22 01 61
    52 08 0a02 6f6b 1004 40 01`);
  const RECORD = Buffer.concat([hex('1e 02 085c 1f'), MESSAGE]);
  const SIGNED = Buffer.concat([hex('1e 1b 085c 2203 6f7073 2801 3210 5afb86fd710cfcf5c219ccdcd626be27 1f'), MESSAGE]);
  const DECODED = {
    Uuid: UUID,
    Timestamp: '1000000000',
    Type: 'demo',
    Severity: 6,
    Fields: [
      { name: 'status', value_type: 3, value: [200] },
      { name: 'size', value_type: 2, representation: 'B', value: [5, 300] },
      { name: 'host', value_type: 0, value: ['a'] },
      { name: 'ok', value_type: 4, value: [true] },
    ],
  };

  it.each<{ title: string; bytes: Buffer; count: number; notes: RegExp; code: number }>([
    { title: 'one record', bytes: RECORD, count: 1, notes: /^$/, code: 0 },
    { title: 'signed records', bytes: Buffer.concat([SIGNED, RECORD]), count: 2, notes: /^$/, code: 0 },
    {
      title: 'garbage in between',
      bytes: Buffer.concat([hex('4142'), RECORD, hex('ffff'), RECORD]),
      count: 2,
      notes: /hand\.pb: 2 bytes from byte 0 on are not a record and are skipped\n.*: 2 bytes from byte 99 on/,
      code: 0,
    },
    {
      title: 'a header that does not parse',
      bytes: Buffer.concat([hex('1e 01 ff 1f'), RECORD]),
      count: 1,
      notes: /a header that does not parse/,
      code: 0,
    },
    {
      title: 'a record that is cut off',
      bytes: Buffer.concat([RECORD, RECORD.subarray(0, 60)]),
      count: 1,
      notes: /ends within a record: 60 bytes from byte 97 on/,
      code: 0,
    },
    { title: 'a message without content', bytes: Buffer.concat([hex('1e 02 0800 1f'), RECORD]), count: 1, notes: /:1: no uuid/, code: 2 },
  ])('is read by cat and match: $title', async ({ bytes, count, notes, code }) => {
    const file = fileOf('hand.pb', bytes);
    const cat = await sluicebox(['cat', file]);
    expect(cat.lines()).toEqual(Array.from({ length: count }, () => DECODED));
    expect(cat.err).toMatch(notes);
    expect(cat.code).toBe(code);
    const match = await sluicebox(['match', '--from', 'protobuf', '-c', 'Fields[size][0][1] == 300', '-'], bytes);
    expect(match).toMatchObject({ code, out: `${count}\n` });
  });
});
