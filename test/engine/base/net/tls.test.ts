import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { InputNotice } from '../../../../engine/inputs/types.ts';
import { HttpListenInput } from '../../../../engine/inputs/http/http-listen-input.ts';
import { TcpInput, type TcpInputOptions } from '../../../../engine/inputs/net/tcp-input.ts';
import type { Listener } from '../../../../engine/pipeline/retried-listener.ts';
import { RareNotices } from '../../../../engine/base/time/rare-notices.ts';
import { TcpWriter } from '../../../../engine/outputs/tcp-output.ts';
import { tlsConnection, tlsListener, type ClientAuth, type TlsConfig, type TlsListenerConfig } from '../../../../engine/base/net/tls.ts';
import { TestSink } from '../../inputs/harness.ts';
import { patienceMs } from '../../../patience.ts';
import { until } from '../../../until.ts';

const folder = join(import.meta.dirname, '../../../fixtures/tls');
const cert = join(folder, 'server.crt');
const key = join(folder, 'server.key');
const server: TlsListenerConfig = {
  cert_file: cert,
  key_file: key,
  client_auth: 'NoClientCert',
  prefer_server_ciphers: true,
  session_tickets_disabled: false,
};

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(config: TlsListenerConfig, options: Partial<TcpInputOptions> = {}): Promise<{ port: number; sink: TestSink }> {
  const input = new TcpInput({ name: 'in', address: '127.0.0.1:0', tls: tlsListener(config), ...options });
  const sink = new TestSink();
  await input.start(sink);
  cleanups.push(() => input.stop());
  return { port: input.address()?.port ?? 0, sink };
}

function writerTo(port: number, config: Partial<TlsConfig>): { writer: TcpWriter; said: string[] } {
  const said: string[] = [];
  const tls = { servername: 'localhost', ...tlsConnection({ insecure_skip_verify: false, ...config }) };
  const retries = { delay: 5, max_delay: 5, max_jitter: 0, max_retries: 1 };
  const writer = new TcpWriter({
    host: '127.0.0.1',
    port,
    tls,
    keepAlive: 0,
    reconnectAfter: 0,
    retries,
    onProblem: (text) => said.push(text),
  });
  cleanups.push(() => writer.close());
  return { writer, said };
}

describe('encrypted connections', () => {
  it('carry what an output sends to an input', async () => {
    const { port, sink } = await listen(server);
    const { writer } = writerTo(port, { root_cafile: cert });
    await writer.write(['one\n', 'two\n']);
    await until(() => sink.payloads.length === 2, 'the lines');
    expect(sink.payloads).toEqual(['one', 'two']);
  });

  it('carry a zlib stream, and text in its place is told', async () => {
    const { port, sink } = await listen(server, { compression: 'stream' });
    for (const data of [deflateSync('one\ntwo'), 'three\n']) connect({ port, host: '127.0.0.1', rejectUnauthorized: false }).end(data);
    await until(() => sink.payloads.length === 2 && sink.codes.length === 1, 'the lines and the notice');
    expect([sink.payloads, sink.codes]).toEqual([['one', 'two'], ['stream.framing']]);
  });

  it.each<[string, Partial<TlsConfig>, Partial<TlsListenerConfig>, RegExp]>([
    ['a certificate that nobody knows', {}, {}, /self-signed certificate/],
    ['another name', { root_cafile: cert, server_name: 'other.example' }, {}, /does not match certificate/],
    ['versions that do not fit', { insecure_skip_verify: true, max_version: 'TLS12' }, { min_version: 'TLS13' }, /./],
  ])('are not made with %s', async (_title, client, listener, said) => {
    const { port } = await listen({ ...server, ...listener });
    const { writer } = writerTo(port, client);
    await expect(writer.write(['x\n'])).rejects.toThrow(said);
  });

  it('resume sessions by tickets, unless these are off', async () => {
    for (const disabled of [false, true]) {
      const { port, sink } = await listen({
        ...server,
        session_tickets_disabled: disabled,
        session_ticket_key: 'ab'.repeat(32),
        max_version: 'TLS12',
      });
      const talk = async (session?: Buffer): Promise<TLSSocket> => {
        const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...(session === undefined ? {} : { session }) });
        await new Promise((resolve) => socket.once('secureConnect', resolve));
        return socket;
      };
      const first = await talk();
      expect(first.getTLSTicket() === undefined).toBe(disabled);
      first.end('a\n');
      await until(() => sink.payloads.length === 1, 'the first line');
      first.destroy();
    }
  });

  it.each<[ClientAuth, boolean, boolean, boolean]>([
    ['NoClientCert', false, true, true],
    ['RequestClientCert', false, true, true],
    ['RequireAnyClientCert', false, false, true],
    ['VerifyClientCertIfGiven', false, true, false],
    ['VerifyClientCertIfGiven', true, true, true],
    ['RequireAndVerifyClientCert', false, false, false],
    ['RequireAndVerifyClientCert', true, false, true],
  ])('with client_auth %s (its authority known: %s): without a certificate %s, with one %s', async (auth, known, without, given) => {
    const { port, sink } = await listen({ ...server, client_auth: auth, ...(known ? { client_cafile: cert } : {}) });
    for (const [shown, taken] of [
      [{}, without],
      [{ cert_file: cert, key_file: key }, given],
    ] as const) {
      const before = sink.payloads.length;
      const told = sink.notices.length;
      const options: ConnectionOptions = tlsConnection({ insecure_skip_verify: true, ...shown });
      const socket: TLSSocket = connect({ host: '127.0.0.1', port, ...options });
      socket.on('error', () => undefined);
      socket.end('hello\n');
      await until(() => sink.payloads.length > before || sink.notices.length > told, `a client with ${JSON.stringify(shown)}`);
      expect(sink.payloads.length - before).toBe(taken ? 1 : 0);
      socket.destroy();
    }
  });

  it('come about while others hang in their handshakes, of which the oldest are cut off', async () => {
    const input = new TcpInput({ name: 'in', address: '127.0.0.1:0', tls: tlsListener(server), maxHandshakes: 20 });
    const sink = new TestSink();
    await input.start(sink);
    cleanups.push(() => input.stop());
    const port = input.address()?.port ?? 0;
    let closed = 0;
    const hanging: Socket[] = [];
    for (let i = 0; i < 60; i++) {
      const socket = connectPlain(port, '127.0.0.1');
      socket.on('error', () => undefined).on('close', () => closed++);
      cleanups.push(() => void socket.destroy());
      await once(socket, 'connect');
      // The beginning of a handshake, and no more.
      if (i % 2 === 0) socket.write(Uint8Array.of(22, 3, 1, 2, 0));
      hanging.push(socket);
    }
    await until(
      () => closed >= 40,
      () => `${closed} hanging clients cut off`,
    );
    const { writer } = writerTo(port, { root_cafile: cert });
    await writer.write(['one\n']);
    await until(() => sink.payloads.length === 1, 'the line');
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    cleanups.push(() => void socket.destroy());
    await once(socket, 'secureConnect');
    const later = connectPlain(port, '127.0.0.1').on('error', () => undefined);
    cleanups.push(() => void later.destroy());
    await once(later, 'connect');
    socket.write('two\n');
    await until(() => sink.payloads.length === 2, 'a line over a connection whose handshake is made');
    expect(hanging.slice(0, 40).every(({ destroyed }) => destroyed)).toBe(true);
    // However many were cut off: their notices do not fill the log.
    const told: InputNotice[] = [];
    const log = new RareNotices<InputNotice>((notice) => told.push(notice));
    for (const notice of sink.notices) log.tell(notice);
    expect(told.filter(({ code }) => code === 'connection.refused')).toHaveLength(20);
  });

  it.each<[string, () => Listener]>([
    ['TCP', () => new TcpInput({ name: 'in', address: '127.0.0.1:0', tls: tlsListener(server) })],
    [
      'HTTP',
      () =>
        new HttpListenInput({
          name: 'in',
          address: '127.0.0.1:0',
          headers: {},
          requestHeaders: [],
          auth: null,
          tls: tlsListener(server),
          hostname: 'h',
        }),
    ],
  ])('that hang in their handshake do not hold up the end (%s)', async (_title, make) => {
    const input = make();
    await input.start(new TestSink());
    const socket = connectPlain(input.address()?.port ?? 0, '127.0.0.1').on('error', () => undefined);
    cleanups.push(() => void socket.destroy());
    await once(socket, 'connect');
    const started = performance.now();
    await input.stop();
    expect(performance.now() - started).toBeLessThan(patienceMs());
  });

  it.each([
    [{ cert_file: join(folder, 'absent.crt'), key_file: key }, /absent\.crt cannot be read/],
    [{ cert_file: import.meta.filename, key_file: key }, /is not a PEM file/],
  ])('need files that are right', (files, said) => expect(() => tlsListener({ ...server, ...files })).toThrow(said));
});
