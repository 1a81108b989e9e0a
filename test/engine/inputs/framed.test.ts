import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileInput } from '../../../engine/inputs/file/file-input.ts';
import type { FramedOptions } from '../../../engine/inputs/framed.ts';
import { TcpInput } from '../../../engine/inputs/net/tcp-input.ts';
import { UdpInput } from '../../../engine/inputs/net/udp-input.ts';
import { RecordStream } from '../../../engine/inputs/record-stream.ts';
import { FramingSplitter } from '../../../engine/inputs/splitters/framing.ts';
import { frame } from '../../../engine/message/protobuf/framing.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { messagesOf } from '../../../engine/message/batch/row-index.ts';
import type { Signer } from '../../../engine/message/protobuf/signing.ts';
import type { Message } from '../../../engine/message/types.ts';
import { messages as anyMessages, wellFormedText } from '../message/arbitraries.ts';
import { TestSink, temporaryFolder } from './harness.ts';
import { until } from '../../until.ts';

const ops: Signer = { name: 'ops', version: 1, hash: 'sha1', key: 's3cret' };
const other: Signer = { ...ops, key: 'wrong' };
const keys = new Map([['ops_1', 's3cret']]);

const messageOf = (payload: string): Message => ({
  uuid: new Uint8Array(16).fill(payload.length),
  timestamp: 5n,
  payload,
  type: 'own',
  fields: [{ name: 'blob', valueType: 1, values: [Uint8Array.of(0xff, 0, 0x1e)] }],
});
const record = (payload: string, signer: Signer | null = null): Uint8Array => frame(encodeMessage(messageOf(payload)), signer);
const signersOf = (sink: TestSink): [string, string][] =>
  sink.batches.flatMap(({ batch, signer = '?' }) =>
    [...messagesOf(batch, null)].map(({ payload = '' }): [string, string] => [payload, signer]),
  );

describe('FramingSplitter', () => {
  const decoded = (stream: Uint8Array, sizes: readonly number[], options: FramedOptions = {}): { list: Message[]; dropped: number } => {
    const splitter = new FramingSplitter(options);
    const records = new RecordStream(splitter);
    const list: Message[] = [];
    const take = (bytes: Uint8Array, outlook: 'more' | 'end'): void => {
      for (const { piece } of records.push(bytes, outlook)) list.push(...messagesOf(piece.messages ?? expect.fail(), null));
    };
    for (let at = 0, i = 0; at < stream.length; i++) {
      const size = sizes[i % sizes.length] as number;
      take(stream.subarray(at, at + size), 'more');
      at += size;
    }
    take(new Uint8Array(0), 'end');
    return { list, dropped: splitter.dropped };
  };

  it('finds the messages that were framed, however the stream is cut', () => {
    fc.assert(
      fc.property(
        anyMessages(wellFormedText, 6),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }),
        (list, sizes) => {
          const stream = Buffer.concat(list.map((message) => frame(encodeMessage(message))));
          expect(decoded(stream, sizes).list).toEqual(list);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('takes what is signed by a known key, and counts what it drops', () => {
    const stream = Buffer.concat([
      record('plain'),
      record('signed', ops),
      record('forged', other),
      frame(Uint8Array.of(1, 2, 3)),
      record('last'),
    ]);
    const { list, dropped } = decoded(stream, [1000], { keys });
    expect(list.map(({ payload }) => payload)).toEqual(['plain', 'signed', 'last']);
    expect(dropped).toBe(2);
    expect(decoded(stream, [7], { keys: null }).list).toHaveLength(4);
    expect(decoded(stream, [7]).list).toHaveLength(2);
  });
});

describe('a file of framed messages', () => {
  it('is followed through records that come in parts, and resumed behind the last whole one', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('stream.pb');
    await writeFile(file, Buffer.concat([record('a'), record('b', ops), record('c')]));
    const options = { name: 'in', paths: [file], split: { kind: 'framing', keys } as const, stateDirectory: folder.path, pollMs: 10 };
    const sink = new TestSink();
    const input = new FileInput(options);
    await input.start(sink);
    await until(() => sink.payloads.length === 3, 'three messages');
    expect(signersOf(sink)).toEqual([
      ['a', ''],
      ['b', 'ops'],
      ['c', ''],
    ]);
    expect(sink.records[0]).toMatchObject({ type: 'own', logger: '', hostname: '' });
    const next = record('d');
    await appendFile(file, next.subarray(0, 20));
    await until(() => input.files()[0]?.pending === 20, 'the part');
    await input.stop();
    await appendFile(file, next.subarray(20));
    const second = new TestSink();
    const again = new FileInput(options);
    await again.start(second);
    await until(() => second.payloads.length > 0, 'the rest');
    expect(second.payloads).toEqual(['d']);
    await truncate(file, 0);
    await writeFile(file, record('after'));
    await until(() => second.payloads.length > 1, 'what was written anew');
    expect(second.payloads).toEqual(['d', 'after']);
    await again.stop();
    expect(sink.notices).toEqual([]);
  });

  it('is read to its end with what is damaged told', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('stream.pb');
    await writeFile(
      file,
      Buffer.concat([Buffer.from('junk'), record('a'), Buffer.from('\x1e\x01\xff\x1f'), record('b'), record('c').subarray(0, 30)]),
    );
    const sink = new TestSink();
    const input = new FileInput({ name: 'in', paths: [file], split: { kind: 'framing' }, follow: false });
    await input.start(sink);
    await until(() => sink.idles > 0, 'the end');
    await input.stop();
    expect(sink.payloads).toEqual(['a', 'b']);
    expect(sink.notices).toMatchObject([
      { code: 'stream.damaged', text: expect.stringMatching(/4 bytes that are not a record/) as string },
    ]);
  });

  it('is not unpacked', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('stream.gz');
    await writeFile(file, gzipSync(record('a')));
    const sink = new TestSink();
    const input = new FileInput({ name: 'in', paths: [file], split: { kind: 'framing' }, follow: false });
    await input.start(sink);
    await until(() => sink.notices.length > 0, 'a notice');
    await input.stop();
    expect(sink.notices).toMatchObject([{ code: 'file.binary', text: expect.stringMatching(/packed \(gzip\)/) as string }]);
  });
});

describe('framed messages over the network', () => {
  it('come over TCP with their signers, in order, and what is none is told once', async () => {
    const sink = new TestSink();
    const input = new TcpInput({ name: 'in', address: '127.0.0.1:0', framed: { keys } });
    await input.start(sink);
    const socket = connect(input.address()?.port ?? 0, '127.0.0.1');
    const stream = Buffer.concat([record('a'), record('b', ops), record('x', other), record('c', ops), Buffer.from('junk'), record('d')]);
    socket.write(stream.subarray(0, 50));
    socket.write(stream.subarray(50));
    socket.end('junk');
    await once(socket, 'close');
    await until(
      () => sink.payloads.length === 4,
      () => `four messages, not ${sink.payloads.join()}`,
    );
    expect(signersOf(sink)).toEqual([
      ['a', ''],
      ['b', 'ops'],
      ['c', 'ops'],
      ['d', ''],
    ]);
    expect(sink.codes).toEqual(['stream.damaged']);
    expect(input.stats()).toMatchObject({ records: 4, dropped: 1 });
    await input.stop();
  });

  it('come over UDP, several in a datagram', async () => {
    const sink = new TestSink();
    const input = new UdpInput({ name: 'in', address: '127.0.0.1:0', framed: { keys: null } });
    await input.start(sink);
    const socket = createSocket('udp4');
    const { port } = input.address() ?? expect.fail();
    socket.send(Buffer.concat([record('a'), record('b', other)]), port, '127.0.0.1');
    socket.send(Buffer.from('no message'), port, '127.0.0.1');
    await until(() => sink.payloads.length === 2 && sink.notices.length === 1, 'two messages and a notice');
    expect(signersOf(sink)).toEqual([
      ['a', ''],
      ['b', ''],
    ]);
    expect(sink.codes).toEqual(['stream.damaged']);
    socket.close();
    await input.stop();
  });
});
