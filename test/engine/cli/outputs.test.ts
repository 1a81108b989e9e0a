import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FrameSplitter } from '../../../engine/message/protobuf/framing.ts';
import { decodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { freePort } from '../../ports.ts';
import { sluicebox } from './run-cli.ts';
import { startCommand } from './start-command.ts';

let folder: string;
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-outputs-'));
});

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): Promise<void> => writeFile(at(name), text);
const run = () => sluicebox(['run', at('p.toml'), '--until-idle'], '', { SLUICEBOX_DATA: at('data') });
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i}`);
const input = (): string => `[svcd]\nlog_flags = 0\n[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\nstart = "begin"\n`;

async function listen(server: Server, port = 0): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server for framed messages, which breaks its first connections off. */
async function messageServer(breakAfter: number): Promise<{ port: number; payloads: string[] }> {
  const payloads: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    const breaks = ++connections <= 3;
    const splitter = new FrameSplitter();
    let count = 0;
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        for (const { message } of splitter.push(chunk)) {
          payloads.push(decodeMessage(message).payload ?? '');
          if (++count === breakAfter && breaks) socket.resetAndDestroy();
        }
      });
  });
  return { port: await listen(server), payloads };
}

describe('a run with an output of the network', () => {
  it('sends framed messages by TCP, all of them although connections break', async () => {
    await put('a.log', `${numbered(5000).join('\n')}\n`);
    const { port, payloads } = await messageServer(900);
    await put(
      'p.toml',
      `${input()}[to]\ntype = "TcpOutput"\naddress = "127.0.0.1:${port}"\nmessage_matcher = "TRUE"\n[to.retries]\ndelay = "10ms"\n`,
    );
    expect((await run()).code).toBe(0);
    expect(new Set(payloads)).toEqual(new Set(numbered(5000)));
  });

  it('keeps what nobody takes until the next start', async () => {
    await put('a.log', `${numbered(100).join('\n')}\n`);
    const port = await freePort();
    const output = `[to]\ntype = "TcpOutput"\naddress = "127.0.0.1:${port}"\nencoder = "json"\nmessage_matcher = "TRUE"\ncan_exit = true\n[to.retries]\nmax_retries = 1\ndelay = "1ms"\nmax_jitter = "0ms"\n`;
    const log = `[log]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type == 'svc.terminated'"\n`;
    await put('p.toml', input() + output + log);
    const first = await run();
    expect(first.err).toMatch(/\[to\] cannot be delivered to and is tried again: .*ECONNREFUSED[^]*\[to\] has ended: was given up/);
    expect(first.lines().map(({ Payload }) => Payload)).toEqual([
      expect.stringMatching(/^to \(type TcpOutput\) terminated\. Error: was given up/),
    ]);
    let text = '';
    await listen(
      createServer((socket) => void socket.on('data', (chunk) => (text += chunk.toString()))),
      port,
    );
    await put('p.toml', (input() + output).replace('"begin"', '"resume"').replace(at('a.log'), at('b.log')));
    await put('b.log', '');
    expect((await run()).code).toBe(0);
    expect([...text.matchAll(/"Payload":"(line \d+)"/g)].map(([, payload]) => payload)).toEqual(numbered(100));
  });

  it('sends the Payload of each message by HTTP', async () => {
    await put('a.log', 'one\ntwo\n');
    const bodies: string[] = [];
    const server = createHttpServer((request, response) => {
      let body = '';
      request
        .on('data', (chunk: Buffer) => (body += chunk.toString()))
        .on('end', () => {
          bodies.push(body);
          response.end();
        });
    });
    const port = await listen(server);
    const encoder = '[plain]\ntype = "SandboxEncoder"\nplugin = "plain_text"\n[plain.config]\nappend_newlines = false\n';
    await put(
      'p.toml',
      `${input()}${encoder}[to]\ntype = "HttpOutput"\naddress = "http://127.0.0.1:${port}/x"\nencoder = "plain"\nmessage_matcher = "TRUE"\n`,
    );
    expect(await run()).toMatchObject({ code: 0, err: '' });
    expect(bodies).toEqual(['one', 'two']);
    server.closeAllConnections();
  });

  it.each([
    ['type = "TcpOutput"\nuse_tls = true\nlocal_address = "127.0.0.1:0"', 'local_address cannot be used together with use_tls'],
    ['type = "TcpOutput"\n[to.tls]\nmin_version = "TLS13"\nmax_version = "TLS12"', 'max_version is below min_version'],
    ['type = "TcpOutput"\n[to.tls]\ncert_file = "x"', 'needs cert_file and key_file together'],
    ['type = "UdpOutput"\naddress = "127.0.0.1:1"\nencoder = "json"\nmax_message_size = 511', 'must be at least 512, not 511'],
    ['type = "UdpOutput"\naddress = "127.0.0.1:1"', 'encoder: is required'],
    ['type = "HttpOutput"\naddress = "ftp://x"\nencoder = "json"', 'must be a URL that begins with http:// or https://'],
    ['type = "HttpOutput"\naddress = "http://x"\nencoder = "json"\nmethod = "delete"', 'must be GET, POST or PUT'],
    ['type = "SmtpOutput"\nencoder = "json"', 'send_to: is required'],
    ['type = "SmtpOutput"\nencoder = "json"\nsend_to = ["a@b"]\nauth = "plain"', 'auth: must be'],
    ['type = "FileOutput"\npath = "x"\nrotation_interval = 2', 'rotation_interval'],
    ['type = "ElasticSearchOutput"\nusername = "x"', 'needs username and password together'],
  ])('is refused when it is wrong: %s', async (section, said) => {
    await put('p.toml', `${input()}[to]\nmessage_matcher = "TRUE"\n${section}\n`);
    const { code, out } = await sluicebox(['check', at('p.toml')]);
    expect(out).toContain(said);
    expect(code).toBe(1);
  });
});

it('a run that is stopped while its target is away ends well, and reads on from there', async () => {
  await put('a.log', `${numbered(50).join('\n')}\n`);
  const bodies = new Set<string>();
  const port = await freePort();
  const encoder = '[plain]\ntype = "SandboxEncoder"\nplugin = "plain_text"\n[plain.config]\nappend_newlines = false\n';
  const output = `[to]\ntype = "HttpOutput"\naddress = "http://127.0.0.1:${port}/x"\nencoder = "plain"\nmessage_matcher = "TRUE"\n`;
  await put('p.toml', `${input().replace('start = "begin"\n', '')}${encoder}${output}`);
  await using service = startCommand(['run', at('p.toml')], { env: { SLUICEBOX_DATA: at('data') } });
  await expect.poll(service.err).toMatch(/ECONNREFUSED/);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(service.err()).toMatch(/\[in\] stops before all was delivered/);
  const again = createHttpServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.add(chunk.toString())).on('end', () => response.end());
  });
  await listen(again, port);
  expect((await run()).code).toBe(0);
  expect([...bodies]).toEqual(numbered(50));
  again.closeAllConnections();
});
