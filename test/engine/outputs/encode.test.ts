import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { FrameSplitter } from '../../../engine/message/protobuf/framing.ts';
import { decodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import type { Message } from '../../../engine/message/types.ts';
import {
  builtInEncoder,
  formatText,
  rowsEncoder,
  scriptEncoder,
  type AnyBatchEncoder,
  type EncodedPieces,
  type EncoderOptions,
} from '../../../engine/outputs/encode.ts';
import { payloadLines } from '../../../engine/outputs/payload-lines.ts';
import type { Sandbox } from '../../../engine/sandbox/contract/types.ts';
import { FileWriter, type FileWriterOptions } from '../../../engine/outputs/file-output.ts';
import { StreamWriter } from '../../../engine/outputs/writers.ts';
import { OutputRunner } from '../../../engine/pipeline/output-runner.ts';
import { hand } from '../pipeline/fakes.ts';

const MESSAGES: readonly Message[] = [0, 1, 2].map((i) => ({
  uuid: new Uint8Array(16).fill(i),
  timestamp: BigInt(i) * 1_500_000_000n,
  severity: i,
  payload: `m${i}`,
  fields: [{ name: 'n', valueType: 3, values: [i] }],
}));
const batch = batchOf(MESSAGES);

describe('builtInEncoder', () => {
  it('writes JSON, one line a message, and only the rows that are wanted', async () => {
    const pieces = Array.from((await builtInEncoder('json'))(batch, new Uint32Array([2])), (piece) => Buffer.from(piece).toString());
    expect(pieces).toEqual([
      '{"Uuid":"02020202-0202-0202-0202-020202020202","Timestamp":"3000000000","Severity":2,"Payload":"m2","Fields":[{"name":"n","value_type":3,"value":[2]}]}\n',
    ]);
  });

  it('frames protobuf unless told otherwise', async () => {
    const framed = [...(await builtInEncoder('protobuf'))(batch, null)] as Uint8Array[];
    const records = new FrameSplitter().push(Buffer.concat(framed));
    expect(records.map(({ message }) => decodeMessage(message))).toEqual(MESSAGES);
    const plain = [...(await builtInEncoder('protobuf', { framing: false }))(batch, null)] as Uint8Array[];
    expect(plain.map(decodeMessage)).toEqual(MESSAGES);
  });

  it('leaves out what is too large to be framed, and says so', async () => {
    const errors: string[] = [];
    const encoder = await builtInEncoder('protobuf', { onError: (reason) => errors.push(reason) });
    const large = { ...(MESSAGES[0] as Message), payload: 'x'.repeat(70_000) };
    expect([...encoder(batchOf([large, MESSAGES[1] as Message]), null)]).toHaveLength(1);
    expect(errors).toEqual([expect.stringContaining('65536')]);
  });
});

describe('encoders of plugins, with framing', () => {
  const large = { ...(MESSAGES[0] as Message), payload: 'x'.repeat(2000) };
  const mixed = batchOf([MESSAGES[0] as Message, large, MESSAGES[2] as Message]);
  /** A script that leaves all messages as they are. */
  const passing = {
    process: (given: MessageBatch) =>
      Promise.resolve({
        encoded: null,
        injected: null,
        failures: [],
        terminated: null,
        passed: Uint32Array.from({ length: given.length }, (_, row) => row),
      }),
  } as unknown as Sandbox;

  it.each<[string, (options: EncoderOptions) => Promise<AnyBatchEncoder>, size: number]>([
    ['a script', (options) => scriptEncoder(passing, options), 2042],
    ['plain_text', (options) => rowsEncoder((given, rows) => payloadLines(given, rows, 0), options), 2001],
  ])('%s: leaves out what is too large for the frame, and keeps the rest', async (_what, start, size) => {
    const errors: string[] = [];
    const onError = (reason: string): unknown => errors.push(reason);
    const encode = async (maxMessageSize: number): Promise<EncodedPieces> =>
      (await (
        await start({ framing: true, maxMessageSize, onError })
      )(mixed, null)) as EncodedPieces;
    expect((await encode(size)).rows).toEqual(Uint32Array.from([0, 1, 2]));
    const { pieces, rows } = await encode(size - 1);
    expect(rows).toEqual(Uint32Array.from([0, 2]));
    expect(new FrameSplitter().push(Buffer.concat([...pieces]))).toHaveLength(2);
    expect(errors).toEqual([`a message of ${size} bytes, at most ${size - 1} are allowed`]);
  });
});

describe('formatText', () => {
  const bare: Message = { uuid: new Uint8Array(16), timestamp: 0n, fields: [] };

  it('shows all headers and fields, and keeps line breaks from looking like them', () => {
    const message: Message = {
      ...bare,
      timestamp: 1_614_949_679_250_000_000n,
      type: 't',
      payload: 'one\n:Type: forged',
      hostname: 'h',
      logger: 'l',
      envVersion: '1',
      pid: 9,
      severity: 3,
      fields: [
        { name: 'a b', valueType: 0, representation: 'ipv4', values: ['x', 'y"z\\\n'] },
        { name: 'one', valueType: 0, representation: '', values: ['\u001b'] },
        { name: 'raw', valueType: 1, values: [new Uint8Array([1, 2])] },
        { name: 'big', valueType: 2, values: [9007199254740993n] },
        { name: 'numbers', valueType: 3, representation: 's', values: [0.1, 100] },
        { name: 'none', valueType: 4, values: [] },
      ],
    };
    expect(formatText(message)).toBe(
      [
        '',
        ':Timestamp: 2021-03-05 13:07:59.25 +0000 UTC',
        ':Type: t',
        ':Hostname: h',
        ':Pid: 9',
        ':Uuid: 00000000-0000-0000-0000-000000000000',
        ':Logger: l',
        ':Payload: one\n    :Type: forged',
        ':EnvVersion: 1',
        ':Severity: 3',
        ':Fields:',
        '    | name:"a b" type:string value:["x","y"z\\\\n"] representation:"ipv4"',
        '    | name:"one" type:string value:"\\u001b"',
        '    | name:"raw" type:bytes value:AQI=',
        '    | name:"big" type:integer value:9007199254740993',
        '    | name:"numbers" type:double value:[0.1,100] representation:"s"',
        '    | name:"none" type:bool value:[]',
        '\n',
      ].join('\n'),
    );
  });

  it('shows what is not set', () => {
    const headers =
      ':Type: \n:Hostname: \n:Pid: 0\n:Uuid: 00000000-0000-0000-0000-000000000000\n:Logger: \n:Payload: \n:EnvVersion: \n:Severity: 7';
    expect(formatText(bare)).toBe(`\n:Timestamp: 1970-01-01 00:00:00 +0000 UTC\n${headers}\n\n`);
  });

  it.each([
    [1_614_949_650_000_000_000n, '2021-03-05 13:07:30'],
    [1_614_949_679_123_456_789n, '2021-03-05 13:07:59.123456789'],
    [1_614_949_679_123_456_700n, '2021-03-05 13:07:59.1234567'],
    [1_614_949_679_000_000_001n, '2021-03-05 13:07:59.000000001'],
    [1_614_949_679_100_000_000n, '2021-03-05 13:07:59.1'],
    [-1n, '1969-12-31 23:59:59.999999999'],
  ])('a time of %d ns', (timestamp, text) => {
    expect(formatText({ ...bare, timestamp })).toContain(`\n:Timestamp: ${text} +0000 UTC\n`);
  });
});

describe('writers', () => {
  const options = (more: Partial<FileWriterOptions>): FileWriterOptions => ({
    path: join(mkdtempSync(join(tmpdir(), 'sluicebox-out-')), 'deep', 'er', 'out.txt'),
    perm: 0o640,
    folderPerm: 0o700,
    flushInterval: 1000,
    flushCount: 1,
    flushOperator: 'AND',
    ...more,
  });

  it.each<Partial<FileWriterOptions>>([
    {},
    { flushInterval: 0 },
    { flushInterval: 1, flushOperator: 'OR' },
    { flushCount: 100, flushOperator: 'OR' },
  ])('append to files that they make, with %o', async (more) => {
    const chosen = options(more);
    for (const text of ['a\n', 'b\n']) {
      const writer = new FileWriter(chosen);
      await writer.opened();
      await writer.write([text, Buffer.from('x\n')]);
      expect(readFileSync(chosen.path, 'utf8')).toContain(text);
      await writer.close();
    }
    expect(readFileSync(chosen.path, 'utf8')).toBe('a\nx\nb\nx\n');
    expect(statSync(chosen.path).mode & 0o777).toBe(0o640);
  });

  it('say why a file cannot be opened', async () => {
    await expect(new FileWriter(options({ path: join(import.meta.filename, 'x') })).opened()).rejects.toThrow();
  });

  it('are given what the matcher of an output selects, in order', async () => {
    const stream = new PassThrough();
    let written = '';
    stream.on('data', (bytes: Buffer) => (written += bytes.toString()));
    const errors: string[] = [];
    const output = new OutputRunner({
      name: 'out',
      matcher: compileMatcher('Severity != 1'),
      encoder: await builtInEncoder('text'),
      writer: new StreamWriter(stream),
      onError: (text) => errors.push(text),
    });
    await Promise.all([hand(output, batch), hand(output, batch)]);
    expect([...written.matchAll(/:Payload: (\w+)/g)].map(([, text]) => text)).toEqual(['m0', 'm2', 'm0', 'm2']);
    expect(errors).toEqual([]);
    stream.destroy();
    // The input keeps the messages: they were not lost for a fault of the target.
    await expect(hand(output, batch)).rejects.toThrow('nobody reads standard output any more');
    expect([errors, output.pending]).toEqual([[], 0]);
    await output.stop();
  });

  it('say what was lost when a stream cannot be written', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no room')) });
    stream.on('error', () => undefined);
    const errors: string[] = [];
    const output = new OutputRunner({
      name: 'out',
      matcher: compileMatcher('Severity != 1'),
      encoder: await builtInEncoder('text'),
      writer: new StreamWriter(stream),
      onError: (text) => errors.push(text),
    });
    await hand(output, batch);
    expect(errors).toEqual(['2 messages could not be written and are lost: no room']);
    expect(output.pending).toBe(0);
    await output.stop();
  });
});
