import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  FluentForwardInput,
  fluentForwardInput,
  type FluentForwardInputOptions,
} from '../../../../engine/inputs/fluent/fluent-forward-input.ts';
import { MsgpackReader, type MsgpackValue } from '../../../../engine/inputs/fluent/msgpack.ts';
import { ValueStream } from '../../../../engine/inputs/fluent/value-stream.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { until } from '../../../until.ts';
import { TestSink } from '../harness.ts';
import { encoded, eventTime, record, type Plain } from './encoder.ts';

/** Messages of @fluent-org/logger 1.0.10, by their mode. */
const RECORDED = JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/fluent/client.json'), 'utf8')) as Record<
  string,
  string
>;

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function input(more: Partial<FluentForwardInputOptions> = {}): Promise<{ sink: TestSink; input: FluentForwardInput }> {
  const made = new FluentForwardInput({ name: 'fluent', address: '127.0.0.1:0', hostname: 'server', login: null, ...more });
  const sink = new TestSink();
  await made.start(sink);
  cleanups.push(() => made.stop());
  return { sink, input: made };
}

/** A sender, with what it was answered. */
class Sender {
  readonly #socket: Socket;
  readonly answers: MsgpackValue[] = [];
  isClosed = false;

  constructor(socket: Socket) {
    const stream = new ValueStream(1 << 20);
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      for (const value of stream.push(chunk)) this.answers.push(new MsgpackReader(value).value());
    });
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  send(value: Plain, { raw = false } = {}): void {
    this.#socket.write(raw ? (value as Buffer) : encoded(value));
  }

  end(): void {
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
  }
}

async function sender(to: FluentForwardInput): Promise<Sender> {
  const socket = connect(to.address()?.port ?? 0, '127.0.0.1');
  await once(socket, 'connect');
  const made = new Sender(socket);
  cleanups.push(() => made.close());
  return made;
}

const messagesOf = (sink: TestSink): Message[] =>
  sink.batches.flatMap(({ batch }) => Array.from({ length: batch.length }, (_, row) => batch.message(row)));
const event = (log: string): Plain => [eventTime(100, 5), record({ log, n: 1 })];
const packed = (...logs: string[]): Buffer => Buffer.concat(logs.map((log) => encoded(event(log))));

describe('messages of the forward protocol', () => {
  it.each<[mode: string, message: Plain, logs: string[]]>([
    ['one event', ['app.web', eventTime(100, 5), record({ log: 'a', n: 1 })], ['a']],
    ['one event with options', ['app.web', eventTime(100, 5), record({ log: 'a', n: 1 }), record({ size: 1 })], ['a']],
    ['a list of events', ['app.web', [event('a'), event('b')]], ['a', 'b']],
    ['events one behind the other', ['app.web', packed('a', 'b', 'c')], ['a', 'b', 'c']],
    ['compressed ones', ['app.web', gzipSync(packed('a', 'b')), record({ compressed: 'gzip' })], ['a', 'b']],
    ['ones compressed by zstd', ['app.web', zstdCompressSync(packed('a', 'b')), record({ compressed: 'zstd' })], ['a', 'b']],
    [
      'several frames of zstd',
      ['app.web', Buffer.concat([zstdCompressSync(packed('a')), zstdCompressSync(packed('b'))]), record({ compressed: 'zstd' })],
      ['a', 'b'],
    ],
    [
      'pieces that were compressed',
      ['app.web', Buffer.concat([gzipSync(packed('a')), gzipSync(packed('b'))]), record({ compressed: 'gzip' })],
      ['a', 'b'],
    ],
    ['events with metadata', ['app.web', [[[eventTime(100, 5), record({ x: 1 })], record({ log: 'a', n: 1 })]]], ['a']],
  ])('%s', async (_, message, logs) => {
    const { sink, input: made } = await input();
    (await sender(made)).send(message);
    await until(() => sink.payloads.length === logs.length);
    for (const [i, each] of messagesOf(sink).entries()) {
      expect(each).toEqual({
        uuid: expect.any(Uint8Array) as Uint8Array,
        timestamp: 100_000_000_005n,
        type: 'fluent',
        logger: 'app.web',
        hostname: '127.0.0.1',
        payload: logs[i],
        fields: [{ name: 'n', valueType: 2, values: [1n] }],
      });
    }
  });

  it.each(Object.entries(RECORDED))('as the client for Node sends them: %s', async (_, bytes) => {
    const { sink, input: made } = await input();
    (await sender(made)).send(Buffer.from(bytes, 'base64'), { raw: true });
    await until(() => sink.payloads.length === 2);
    const [first, second] = messagesOf(sink);
    expect(first).toMatchObject({ logger: 'shop.web', timestamp: 1_753_000_000_123_456_789n, payload: 'GET / 200' });
    expect(first?.fields.map(({ name, values }) => [name, ...values])).toEqual([
      ['n', 1n],
      ['share', 0.5],
      ['nested.ok', true],
      ['nested.tags', 'a', 'b'],
    ]);
    expect(second).toMatchObject({ payload: 'GET /b 404', fields: [{ name: 'n', values: [-5n] }] });
  });

  it.each<[what: string, packed: Buffer, options: Plain]>([
    ['plain', packed('a', 'grün'), record({ size: 2 })],
    ['compressed', gzipSync(packed('a', 'grün')), record({ compressed: 'gzip' })],
  ])('events one behind the other may come as a text: %s', async (_, events, options) => {
    const { sink, input: made } = await input();
    const text = Buffer.concat([Buffer.of(0xda, events.length >> 8, events.length & 255), events]);
    (await sender(made)).send(Buffer.concat([Buffer.of(0x93), encoded('t'), text, encoded(options)]), { raw: true });
    await until(() => sink.payloads.length === 2);
    expect(sink.payloads).toEqual(['a', 'grün']);
    expect(sink.notices).toEqual([]);
  });

  it('values of all kinds are fields', async () => {
    const { sink, input: made } = await input();
    const values = record({
      message: 'text\n',
      text: 'grün',
      whole: 7,
      large: 2n ** 63n,
      exact: 2n ** 53n,
      share: 0.5,
      yes: true,
      none: null,
      bytes: Buffer.from([1, 2]),
      kubernetes: record({ pod: 'web-1', labels: record({ app: 'web' }) }),
      list: ['a', 'b'],
      numbers: [1, 2],
      long: [1, 2n ** 60n],
      mixed: [1, 'a', record({ b: 2n ** 60n })],
      empty: [],
    });
    (await sender(made)).send(['docker', 1_700_000_000, values]);
    await until(() => sink.payloads.length === 1);
    const [message] = messagesOf(sink);
    expect(message).toMatchObject({ payload: 'text', timestamp: 1_700_000_000_000_000_000n, logger: 'docker' });
    expect(message?.fields.map(({ name, valueType, values: list }) => [name, valueType, ...list])).toEqual([
      ['text', 0, 'grün'],
      ['whole', 2, 7n],
      ['large', 0, '9223372036854775808'],
      ['exact', 2, 2n ** 53n],
      ['share', 3, 0.5],
      ['yes', 4, true],
      ['bytes', 1, Uint8Array.of(1, 2)],
      ['kubernetes.pod', 0, 'web-1'],
      ['kubernetes.labels.app', 0, 'web'],
      ['list', 0, 'a', 'b'],
      ['numbers', 2, 1n, 2n],
      ['long', 2, 1n, 2n ** 60n],
      ['mixed', 0, '[1,"a",{"b":"1152921504606846976"}]'],
    ]);
  });

  it('are acknowledged when everything downstream has them', async () => {
    const { sink, input: made } = await input();
    sink.acknowledges = false;
    const { answers, send } = await bound(made);
    send(['t', [event('a')], record({ chunk: 'p8n9gmxTQVC8/nh2wlKKeQ==' })]);
    await until(() => sink.batches.length === 1);
    expect(answers).toEqual([]);
    sink.batches[0]?.acknowledge();
    await until(() => answers.length === 1);
    expect(answers).toEqual([record({ ack: 'p8n9gmxTQVC8/nh2wlKKeQ==' })]);
  });

  it('of many events come in batches, in order, and are acknowledged once', async () => {
    const { sink, input: made } = await input();
    const { answers, send } = await bound(made);
    const logs = Array.from({ length: 20_000 }, (_, i) => `event ${i}`);
    send(['t', packed(...logs), record({ chunk: 'c' })]);
    await until(() => answers.length === 1);
    expect(sink.batches.length).toBeGreaterThan(2);
    expect(sink.payloads).toEqual(logs);
    expect(made.stats()).toMatchObject({ records: 20_000, dropped: 0 });
  });

  it('signs of life are not messages', async () => {
    const { sink, input: made } = await input();
    const { send } = await bound(made);
    send(null);
    send(['t', [event('a')]]);
    await until(() => sink.payloads.length === 1);
    expect(sink.notices).toEqual([]);
  });
});

describe('a shared key', () => {
  const KEY = 'the key';
  const USERS = { ann: 'her password', 'bob@example.org': '' };
  const digestOf = (...parts: (string | Buffer)[]): string =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha512')).digest('hex');

  interface Claim {
    readonly key?: string;
    readonly user?: string;
    readonly password?: string;
    /** Passwords that the input knows. */
    readonly users?: Readonly<Record<string, string>>;
  }

  async function greeted({
    key = KEY,
    user = '',
    password = '',
    users = {},
  }: Claim): Promise<{ sink: TestSink; one: Sender; nonce: Buffer }> {
    const { sink, input: made } = await input({ login: { sharedKey: KEY, users: new Map(Object.entries(users)) } });
    const one = await sender(made);
    await until(() => one.answers.length === 1);
    const [word, options] = one.answers[0] as [string, Map<string, MsgpackValue>];
    expect([word, options.get('keepalive')]).toEqual(['HELO', true]);
    const nonce = options.get('nonce') as Buffer;
    const auth = options.get('auth') as Buffer;
    expect(auth).toHaveLength(Object.keys(users).length === 0 ? 0 : 16);
    const proof = user === '' ? '' : digestOf(auth, user, password);
    one.send(['PING', 'client', 'salt', digestOf('salt', 'client', nonce, key), user, proof]);
    await until(() => one.answers.length === 2);
    return { sink, one, nonce };
  }

  it.each<[who: string, claim: Claim]>([
    ['both sides', {}],
    ['both sides, and the client has a user', { users: USERS, user: 'ann', password: 'her password' }],
    ['both sides, and the user has an empty password', { users: USERS, user: 'bob@example.org' }],
    ['both sides, and the client gives a user that nobody asked for', { user: 'ann', password: 'her password' }],
  ])('is shown by %s', async (_, claim) => {
    const { sink, one, nonce } = await greeted(claim);
    expect(one.answers[1]).toEqual(['PONG', true, '', 'server', digestOf('salt', 'server', nonce, KEY)]);
    one.send(['t', [event('a')]]);
    await until(() => sink.payloads.length === 1);
  });

  it.each<[what: string, claim: Claim, why: string]>([
    ['another key', { key: 'another key' }, 'the shared key is another one'],
    [
      'another key, and the right password',
      { key: 'x', users: USERS, user: 'ann', password: 'her password' },
      'the shared key is another one',
    ],
    ['a wrong password', { users: USERS, user: 'ann', password: 'another' }, 'the user or the password is wrong'],
    [
      'the password of another user',
      { users: USERS, user: 'bob@example.org', password: 'her password' },
      'the user or the password is wrong',
    ],
    ['an unknown user', { users: USERS, user: 'eve' }, 'the user or the password is wrong'],
    ['the name of a part of every object', { users: USERS, user: 'constructor' }, 'the user or the password is wrong'],
    ['no user', { users: USERS }, 'the user or the password is wrong'],
  ])('with %s ends the connection', async (_, claim, why) => {
    const { sink, one } = await greeted(claim);
    expect(one.answers[1]).toEqual(['PONG', false, why, 'server', '']);
    await until(() => one.isClosed);
    expect(sink.codes).toEqual(['connection.refused']);
    expect(sink.notices[0]?.text).toBe(`Input fluent takes nothing from 127.0.0.1: ${why}.`);
    expect(sink.payloads).toEqual([]);
  });

  it('is not left out', async () => {
    const { sink, input: made } = await input({ login: { sharedKey: KEY, users: new Map() } });
    const one = await sender(made);
    one.send(['t', [event('a')]]);
    await until(() => one.isClosed);
    expect(sink.payloads).toEqual([]);
  });

  it('is not waited for for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanups.push(() => void vi.useRealTimers());
    const { sink, one } = await greeted({});
    const { input: made, sink: other } = await input({ login: { sharedKey: KEY, users: new Map() } });
    const mute = await sender(made);
    await until(() => mute.answers.length === 1);
    vi.advanceTimersByTime(10_000);
    await until(() => mute.isClosed);
    expect(other.notices.map(({ text }) => text)).toEqual([
      'The connection from 127.0.0.1 to input fluent broke (it did not show the shared key within 10 seconds).',
    ]);
    one.send(['t', [event('a')]]);
    await until(() => sink.payloads.length === 1);
  });

  it('is needed for users', () => {
    const parse = (more: object) => fluentForwardInput.schema.safeParse({ type: 'FluentForwardInput', ...more });
    expect(parse({ users: { ann: 'x' } }).error?.issues[0]).toMatchObject({ path: ['users'] });
    expect(parse({ users: { ann: 'x' }, shared_key: 'y' }).success).toBe(true);
  });
});

describe('what goes wrong', () => {
  const bomb = gzipSync(Buffer.alloc(4 << 20));
  it.each<[what: string, bytes: Buffer, text: RegExp]>([
    ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n'), /in place of a list/],
    ['a byte that begins nothing', Buffer.of(0xc1), /begins no value/],
    ['an endless nesting', Buffer.alloc(1000, 0x91), /nested more than 32 deep/],
    ['a length beyond all bounds', Buffer.from('93a174c6fffffff0', 'hex'), /longer than 1048576 bytes/],
    ['no tag', encoded([1, 2, record({})]), /has no tag/],
    ['a bomb', encoded(['t', bomb, record({ compressed: 'gzip' })]), /more than 1048576 bytes/],
    ['a bomb of zstd', encoded(['t', zstdCompressSync(Buffer.alloc(4 << 20)), record({ compressed: 'zstd' })]), /more than 1048576 bytes/],
    ['damaged zstd', encoded(['t', Buffer.from('no zstd'), record({ compressed: 'zstd' })]), /zstd is damaged/],
    [
      'zstd that is cut off',
      encoded(['t', zstdCompressSync(packed('a', 'b')).subarray(0, -6), record({ compressed: 'zstd' })]),
      /zstd is damaged|cut off/,
    ],
    ['damaged gzip', encoded(['t', Buffer.from('no gzip'), record({ compressed: 'gzip' })]), /gzip is damaged/],
    [
      'an unknown compression',
      encoded(['t', Buffer.from('x'), record({ compressed: 'lz4' })]),
      /compressed by lz4, and only gzip and zstd are known/,
    ],
    ['an event that is not a pair', encoded(['t', [[1]]]), /not a pair/],
    ['events that are cut off', encoded(['t', packed('a').subarray(0, 5)]), /cut off/],
  ])('%s ends the connection, and says why', async (_, bytes, text) => {
    const { sink, input: made } = await input({ maxMessage: 1 << 20 });
    const one = await sender(made);
    one.send(bytes, { raw: true });
    // A length is a promise: what comes up to the bound is waited for.
    if (text.source.startsWith('longer')) for (let i = 0; i < 17; i++) one.send(Buffer.alloc(64 << 10), { raw: true });
    await until(() => one.isClosed);
    expect(sink.codes).toEqual(['stream.framing']);
    expect(sink.notices[0]?.text).toMatch(text);
    expect(sink.payloads).toEqual([]);
    // Others are served.
    (await sender(made)).send(['t', [event('a')]]);
    await until(() => sink.payloads.length === 1);
  });

  it('what comes together with garbage, and before it, is taken', async () => {
    const { sink, input: made } = await input();
    const one = await sender(made);
    one.send(Buffer.concat([encoded(['t', [event('a')]]), encoded(['t', [event('b')]]), Buffer.of(0xc1)]), { raw: true });
    await until(() => one.isClosed);
    expect(sink.payloads).toEqual(['a', 'b']);
    expect(sink.codes).toEqual(['stream.framing']);
  });

  it('metrics and traces of Fluent Bit are left out, and told; the connection goes on', async () => {
    const { sink, input: made } = await input();
    const { answers, send } = await bound(made);
    send(['t', encoded(record({ meta: record({}) })), record({ fluent_signal: 1, chunk: 'c' })]);
    send(['t', packed('a'), record({ fluent_signal: 0, chunk: 'd' })]);
    await until(() => answers.length === 2);
    expect(sink.payloads).toEqual(['a']);
    expect(sink.notices.map(({ text }) => text)).toEqual([
      'Input fluent did not take 1 events from 127.0.0.1: metrics and traces are not taken.',
    ]);
  });

  it('an event without a time or a record is left out, and told', async () => {
    const { sink, input: made } = await input();
    const { answers, send } = await bound(made);
    send(['t', [event('a'), [1, 'no record'], [null, record({})], event('b')], record({ chunk: 'c' })]);
    await until(() => answers.length === 1);
    expect(sink.payloads).toEqual(['a', 'b']);
    expect(sink.codes).toEqual(['record.rejected']);
    expect(made.stats().dropped).toBe(2);
  });

  /** A map of so many members, each of 8 bytes, whose names begin with a letter. */
  const wide = (count: number, letter = 'a'): Map<string, Plain> =>
    new Map(Array.from({ length: count }, (_, i) => [letter + i.toString(36).padStart(5, '0'), 1]));
  const list = (count: number, each: number): Buffer => {
    const head = Buffer.of(0xdd, 0, 0, 0, 0);
    head.writeUInt32BE(count, 1);
    return Buffer.concat([head, Buffer.alloc(count, each)]);
  };
  const EMPTY_MAP = 0x80;
  const asRecord = (member: Buffer): Buffer => Buffer.concat([Buffer.from('81a161', 'hex'), member]);
  const asEvent = (of: Buffer): Buffer => Buffer.concat([Buffer.of(0x92, 1), of]);

  it.each<[what: string, of: Buffer, why: string]>([
    ['a name of 2 MiB', encoded(record({ ['k'.repeat(2 << 20)]: 1 })), 'an event has names of more than 1048576 characters'],
    [
      'long names around many others',
      encoded(record({ ['k'.repeat(100_000)]: wide(1000) })),
      'an event has names of more than 1048576 characters',
    ],
    ['a map of 100,000 members', encoded(wide(100_000)), 'an event has more than 10000 fields'],
    ['a million empty maps', asRecord(list(1 << 20, EMPTY_MAP)), 'an event has more than 262144 values'],
    ['a time beyond all times', encoded(record({})), 'it has an event without a time'],
  ])('an event with %s is left out, and told; the others and the connection go on', async (what, of, why) => {
    const { sink, input: made } = await input();
    const { answers, send } = await bound(made);
    const hostile = what.startsWith('a time') ? encoded([1e300, record({})]) : asEvent(of);
    send(['t', Buffer.concat([packed('a'), hostile, packed('b')]), record({ chunk: 'c' })]);
    await until(() => answers.length === 1);
    expect(sink.payloads).toEqual(['a', 'b']);
    expect(sink.notices.map(({ text }) => text)).toEqual([`Input fluent did not take 1 events from 127.0.0.1: ${why}.`]);
    send(['t', [event('c')]]);
    await until(() => sink.payloads.length === 3);
  });

  it('an event with a list of 100,000 numbers has them all', async () => {
    const { sink, input: made } = await input();
    const { send } = await bound(made);
    send(['t', 1, record({ log: 'a', list: Array.from({ length: 100_000 }, (_, i) => i) })]);
    await until(() => sink.payloads.length === 1);
    expect(messagesOf(sink)[0]?.fields[0]?.values).toHaveLength(100_000);
    expect(sink.notices).toEqual([]);
  });

  it.each<[what: string, bytes: Buffer, why: RegExp]>([
    ['a tag of 5000 bytes', encoded(['t'.repeat(5000), [event('a')]]), /has a tag of more than 4096 bytes/],
    [
      'a time of a million parts',
      Buffer.concat([Buffer.from('93a174', 'hex'), asRecord(list(1 << 20, EMPTY_MAP)), Buffer.of(0x80)]),
      /262144 parts/,
    ],
    [
      'options of a million parts',
      Buffer.concat([encoded(['t', packed('a'), 1]).subarray(0, -1), list(1 << 20, EMPTY_MAP)]),
      /262144 parts/,
    ],
    ['a chunk that is a number', encoded(['t', [event('a')], record({ chunk: 7 })]), /chunk that is no text/],
    ['many events of which the last is cut off', encoded(['t', packed(...Array<string>(9000).fill('a')).subarray(0, -1)]), /cut off/],
  ])('%s ends the connection before anything is taken, and names the sender', async (_, bytes, why) => {
    const { sink, input: made } = await input();
    const one = await sender(made);
    one.send(bytes, { raw: true });
    await until(() => one.isClosed);
    expect(sink.codes).toEqual(['stream.framing']);
    expect(sink.notices[0]?.text).toMatch(why);
    expect(sink.notices[0]?.text).toContain('from 127.0.0.1 ');
    expect(sink.payloads).toEqual([]);
  });

  it('names that differ from event to event come in small batches', async () => {
    const { sink, input: made } = await input();
    const { answers, send } = await bound(made);
    const events = Array.from('abcdefghijklmnopqrst', (letter) => encoded([1, wide(9000, letter)]));
    send(['t', Buffer.concat(events), record({ chunk: 'c' })]);
    await until(() => answers.length === 1);
    expect(sink.batches.map(({ batch }) => batch.length)).toEqual([15, 5]);
  });

  it('lengths that are declared and do not come hold nobody else up', async () => {
    const { sink, input: made } = await input();
    const heads = ['93a174ddffffffff', '93a17401dfffffffff', '93a174c6ffffffff', '93a174dbffffffff', '93dbfffffff0'];
    const waiting = await Promise.all(heads.map(() => sender(made)));
    for (const [i, one] of waiting.entries()) one.send(Buffer.from(heads[i] ?? '', 'hex'), { raw: true });
    await until(() => made.stats().bytes === heads.reduce((sum, hex) => sum + hex.length / 2, 0));
    (await sender(made)).send(['t', [event('a')]]);
    await until(() => sink.payloads.length === 1);
    expect(sink.notices).toEqual([]);
  });

  it('thousands of tags are taken, each as a logger', async () => {
    const { sink, input: made } = await input();
    const { send } = await bound(made);
    const tags = Array.from({ length: 5000 }, (_, i) => `tag.${i}`);
    for (const tag of tags) send([tag, [event('a')]]);
    await until(() => sink.payloads.length === tags.length);
    expect(messagesOf(sink).map(({ logger }) => logger)).toEqual(tags);
  });

  it('connections beyond the limit are refused, and that is told', async () => {
    const { sink, input: made } = await input({ maxConnections: 1 });
    const first = await sender(made);
    const second = await sender(made);
    await until(() => second.isClosed && sink.codes.length > 0);
    expect(sink.codes).toEqual(['connection.refused']);
    first.send(['t', [event('a')]]);
    await until(() => sink.payloads.length === 1);
  });

  it('a connection that ends amid a message is told', async () => {
    const { sink, input: made } = await input();
    const one = await sender(made);
    one.send(encoded(['t', [event('a')]]).subarray(0, 9), { raw: true });
    one.end();
    await until(() => sink.codes.length > 0);
    expect(sink.codes).toEqual(['connection.broken']);
  });

  it('what the system has at the stop is taken', async () => {
    const { sink, input: made } = await input();
    const socket = connect(made.address()?.port ?? 0, '127.0.0.1');
    await once(socket, 'connect');
    cleanups.push(() => void socket.destroy());
    const logs = Array.from({ length: 500 }, (_, i) => `event ${i}`);
    // Stopped as soon as the system has it: nothing of it has been read then.
    await new Promise<void>((resolve, reject) => {
      socket.write(Buffer.concat(logs.map((log) => encoded(['t', [event(log)]]))), () => void made.stop().then(resolve, reject));
    });
    expect(sink.payloads).toEqual(logs);
    expect(sink.codes).toEqual([]);
  });

  it('a sender waits while the pipeline is busy, and the stop does not', async () => {
    const { sink, input: made } = await input();
    const { promise, resolve } = Promise.withResolvers<void>();
    sink.gate = () => promise;
    const { answers, send } = await bound(made);
    send(['t', [event('a')], record({ chunk: 'c' })]);
    await until(() => made.stats().records === 1);
    await made.stop();
    resolve();
    expect(answers).toEqual([]);
    expect(sink.notices.map(({ text }) => text)).toEqual([expect.stringMatching(/^Input fluent has cut 1 connections off at its stop/)]);
  });
});

async function bound(made: FluentForwardInput): Promise<{ answers: MsgpackValue[]; send: (value: Plain) => void }> {
  const one = await sender(made);
  return { answers: one.answers, send: (value) => one.send(value) };
}
