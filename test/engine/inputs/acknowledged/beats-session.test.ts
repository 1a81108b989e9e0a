import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AcknowledgedInput, AcknowledgedInputOptions } from '../../../../engine/inputs/acknowledged/acknowledged-input.ts';
import { makeBeatsInput } from '../../../../engine/inputs/acknowledged/beats-input.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { until } from '../../../until.ts';
import type { TestSink } from '../harness.ts';
import { Client, started } from './client.ts';

const numbered = (kind: string, ...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(2 + 4 * numbers.length);
  bytes.write(kind, 'latin1');
  numbers.forEach((number, i) => bytes.writeUInt32BE(number, 2 + 4 * i));
  return bytes;
};
const raw = (number: number, json: string): Buffer => Buffer.concat([numbered('2J', number, Buffer.byteLength(json)), Buffer.from(json)]);
const event = (number: number, message: string): Buffer =>
  raw(number, JSON.stringify({ '@timestamp': '2026-11-30T10:00:00.123Z', message }));
const window = (...messages: string[]): Buffer =>
  Buffer.concat([numbered('2W', messages.length), ...messages.map((message, i) => event(i + 1, message))]);
const packed = (bytes: Buffer): Buffer => {
  const data = deflateSync(bytes);
  return Buffer.concat([numbered('2C', data.length), data]);
};
const answered = (...numbers: number[]): string => Buffer.concat(numbers.map((number) => numbered('2A', number))).toString('latin1');

async function beats(more: Partial<AcknowledgedInputOptions> = {}): Promise<{ sink: TestSink; client: Client; input: AcknowledgedInput }> {
  const input = makeBeatsInput({ name: 'beats', address: '127.0.0.1:0', maxMessage: 1 << 20, ...more });
  const sink = await started(input);
  return { sink, input, client: await Client.to(input) };
}
const messagesOf = (sink: TestSink): Message[] =>
  sink.batches.flatMap(({ batch }) => Array.from({ length: batch.length }, (_, row) => batch.message(row)));

describe('the protocol of Beats', () => {
  it.each<[what: string, sent: Buffer, payloads: string[], answers: string]>([
    ['a window', window('a', 'grün'), ['a', 'grün'], answered(2)],
    ['two windows', Buffer.concat([window('a'), window('b', 'c')]), ['a', 'b', 'c'], answered(1, 2)],
    ['a compressed window', packed(window('a', 'b')), ['a', 'b'], answered(2)],
    [
      'compressed events behind the size of a window',
      Buffer.concat([numbered('2W', 2), packed(Buffer.concat([event(1, 'a'), event(2, 'b')]))]),
      ['a', 'b'],
      answered(2),
    ],
    ['numbers that go on from window to window', Buffer.concat([numbered('2W', 1), event(7, 'a')]), ['a'], answered(7)],
    [
      'an event that is no JSON between others',
      Buffer.concat([numbered('2W', 3), event(1, 'a'), raw(2, '{'), event(3, 'b')]),
      ['a', 'b'],
      answered(3),
    ],
    ['a window with nothing that can be read', Buffer.concat([numbered('2W', 1), raw(1, '[]')]), [], answered(1)],
  ])('%s', async (what, sent, payloads, answers) => {
    for (const pieces of [[sent], [...sent].map((byte) => Buffer.of(byte))]) {
      const { sink, client } = await beats();
      client.socket.setNoDelay(true);
      for (const piece of pieces) client.send(piece);
      await until(() => client.answer.length >= answers.length);
      expect(client.answer).toBe(answers);
      expect(sink.payloads).toEqual(payloads);
      expect(sink.codes).toEqual(what.includes('JSON') || what.includes('nothing') ? ['record.rejected'] : []);
    }
  });

  it('an event is a message: its time, its text, its host, and fields with dots in their names', async () => {
    const { sink, client } = await beats();
    const json = `{"@timestamp":"2026-11-30T10:00:00.123Z","@metadata":{"beat":"filebeat"},"message":"GET /","host":{"name":"web1"},"log":{"offset":9007199254740993,"file":{"path":"/x"}},"tags":["a","b"],"ok":true,"none":null}`;
    client.send(Buffer.concat([numbered('2W', 1), raw(1, json)]));
    await until(() => sink.payloads.length === 1);
    const [{ fields, ...headers } = { fields: [] }] = messagesOf(sink);
    expect(headers).toMatchObject({
      timestamp: 1_796_032_800_123_000_000n,
      type: 'beats',
      logger: 'beats',
      hostname: 'web1',
      payload: 'GET /',
    });
    expect(fields.map(({ name, values }) => [name, ...values])).toEqual([
      ['@metadata.beat', 'filebeat'],
      ['host.name', 'web1'],
      ['log.offset', 9007199254740993n],
      ['log.file.path', '/x'],
      ['tags', 'a', 'b'],
      ['ok', true],
    ]);
  });

  it('a window is acknowledged when it is safe, and its sender gets signs until then', async () => {
    const { sink, client } = await beats({ patienceMs: 20 });
    sink.acknowledges = false;
    client.send(window('a'));
    await until(() => client.answer.length >= answered(0, 0).length);
    expect(client.answer.startsWith(answered(0, 0))).toBe(true);
    sink.batches[0]?.acknowledge();
    await until(() => client.answer.endsWith(answered(1)));
  });

  const bomb = (bytes: number): Buffer =>
    packed(Buffer.concat([numbered('2W', 1), raw(1, JSON.stringify({ message: 'x'.repeat(bytes) }))]));
  it.each<[what: string, sent: Buffer, text: RegExp]>([
    ['version 1', Buffer.from('1W\0\0\0\x01', 'latin1'), /it speaks version 1 of the protocol, and this input version 2/],
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n'), /it is not the protocol of Beats, or it is encrypted/],
    ['TLS', Buffer.from('1603010200', 'hex'), /or it is encrypted/],
    ['a frame beyond the bound', numbered('2J', 1, 0xffff_ffff), /a frame of 4294967295 bytes is longer than 1048576/],
    ['a compressed frame beyond the bound', numbered('2C', 0x7fff_ffff), /a frame of 2147483647 bytes is longer/],
    ['a bomb', bomb(50 << 20), /a compressed frame is damaged, or has more than 1048576 bytes/],
    ['no zlib', Buffer.concat([numbered('2C', 4), Buffer.from('abcd')]), /a compressed frame is damaged/],
    ['a compressed frame in another one', packed(packed(window('a'))), /a compressed frame is in another one/],
    ['half a frame in a compressed one', packed(window('a').subarray(0, -1)), /a compressed frame ends amid a frame/],
    ['an event without a window', event(1, 'a'), /an event is in no window/],
    [
      'a window amid another one',
      Buffer.concat([numbered('2W', 0xffff_ffff), event(1, 'a'), window('b')]),
      /a window ends 4294967294 events too early/,
    ],
  ])('%s ends the connection, and says why; others are served', async (_, sent, text) => {
    const { sink, client, input } = await beats();
    client.send(sent);
    await until(() => client.isClosed);
    expect(sink.codes).toEqual(['stream.framing']);
    expect(sink.notices[0]?.text).toMatch(text);
    const other = await Client.to(input);
    other.send(window('fine'));
    await until(() => other.answer === answered(1));
  });

  it.each<[what: string, json: string, why: string]>([
    ['very many values', `{"a":[${'{},'.repeat(1 << 19)}1]}`, 'an event has more than 262144 values'],
    ['objects in each other', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'an event has more than 64 objects in each other'],
    [
      'many fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`a${i}`, 1]))),
      'an event has more than 10000 fields',
    ],
  ])('an event with %s is left out, and told', async (_, json, why) => {
    const { sink, client } = await beats({ maxMessage: 4 << 20 });
    client.send(Buffer.concat([numbered('2W', 1), raw(1, json)]));
    await until(() => client.answer === answered(1));
    expect(sink.notices.map(({ text }) => text)).toEqual([`Input beats did not take 1 events from 127.0.0.1: ${why}.`]);
  });
});
