import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { fileOf, sluicebox } from '../run-cli.ts';

const fixture = (name: string): string => join(import.meta.dirname, '../../../fixtures/tls', name);

let server: Server | null = null;
afterEach(() => server?.close());

/** A server that takes what comes over TLS. */
async function listen(): Promise<{ target: string; received: () => Buffer }> {
  const pieces: Buffer[] = [];
  const files = { cert: readFileSync(fixture('server.crt')), key: readFileSync(fixture('server.key')) };
  const listening = createServer(files, (socket) => socket.on('data', (data: Buffer) => pieces.push(data)));
  server = listening.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const address = listening.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { target: `tls://127.0.0.1:${port}`, received: () => Buffer.concat(pieces) };
}

it('sends over TLS to who shows a certificate that is trusted', async () => {
  const { target, received } = await listen();
  expect(await sluicebox(['inject', '--payload', 'hello', '--tls-ca', fixture('server.crt'), target])).toMatchObject({ code: 0, err: '' });
  await expect.poll(() => received().toString('latin1')).toContain('hello');
  const [message] = (await sluicebox(['cat', fileOf('tls.pb', received())])).lines();
  expect(message).toMatchObject({ Payload: 'hello' });
  expect(await sluicebox(['manager', 'unload', '--tls-insecure', 'A', target])).toMatchObject({
    code: 0,
    err: `sluicebox: sent to ${target}; the service does not answer: its log has the result\n`,
  });
  await expect.poll(() => received().toString('latin1')).toContain('svc.control.sandbox');
});

it.each<readonly [what: string, args: readonly string[], problem: RegExp, code: number]>([
  ['a certificate that nobody vouches for', [], /tls:\/\/127\.0\.0\.1:\d+: .*certificate/, 1],
  ['a certificate of another name', ['--tls-ca', fixture('server.crt'), '--tls-name', 'other.example'], /other\.example/, 1],
  ['a file that is missing', ['--tls-ca', '/absent.pem'], /the file \/absent\.pem cannot be read/, 1],
])('refuses %s', async (_what, args, problem, code) => {
  const { target, received } = await listen();
  const result = await sluicebox(['inject', '--payload', 'hello', ...args, target]);
  expect(result.code).toBe(code);
  expect(result.err).toMatch(problem);
  expect(received().length).toBe(0);
});

it('takes the options only where they have an effect', async () => {
  const result = await sluicebox(['inject', '--tls-insecure', 'tcp://127.0.0.1:9']);
  expect(result).toMatchObject({ code: 2, err: expect.stringMatching(/the options for TLS are for tls:\/\/ addresses/) as string });
});
