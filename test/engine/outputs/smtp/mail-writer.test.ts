import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { MailWriter, type MailWriterOptions } from '../../../../engine/outputs/smtp/mail-writer.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const tlsFolder = join(import.meta.dirname, '../../../fixtures/tls');
const certificate = readFileSync(join(tlsFolder, 'server.crt'), 'utf8');
const secureContext = createSecureContext({ cert: certificate, key: readFileSync(join(tlsFolder, 'server.key')) });

interface MailServer {
  readonly port: number;
  /** Commands of all connections; those of encrypted ones begin with "tls ". */
  readonly commands: string[];
  readonly bodies: string[];
  readonly headers: Record<string, string>[];
}

/** @param answers to commands by their first word or as they are, in place of the usual ones */
async function mailServer(answers: Record<string, string | undefined> = {}): Promise<MailServer> {
  const commands: string[] = [];
  const bodies: string[] = [];
  const headers: Record<string, string>[] = [];
  const usual: Record<string, string> = {
    EHLO: '250-mail.example\r\n250-AUTH PLAIN CRAM-MD5\r\n250 8BITMIME',
    MAIL: '250 ok',
    RCPT: '250 ok',
    DATA: '354 go on',
    QUIT: '221 bye',
    AUTH: '235 in',
  };
  const take = (mail: string): void => {
    const [head = '', body = ''] = mail.split('\r\n\r\n');
    const lines = head.replaceAll('\r\n ', ' ').split('\r\n');
    headers.push(Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2) as [string, string])));
    bodies.push(Buffer.from(body, 'base64').toString());
  };
  const serve = (socket: Socket, mark = ''): void => {
    let text = '';
    let inData = false;
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += String(chunk);
      for (;;) {
        const end = inData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (inData ? 5 : 2));
        if (inData) {
          take(part);
          inData = false;
          socket.write('250 queued\r\n');
          continue;
        }
        commands.push(mark + part);
        const word = part.split(/[ :]/)[0] as string;
        inData = word === 'DATA' && answers.DATA === undefined;
        socket.write(`${answers[part] ?? answers[word] ?? usual[word] ?? '235 in'}\r\n`);
        if (word !== 'STARTTLS' || answers.STARTTLS?.startsWith('220') !== true) continue;
        socket.removeAllListeners('data');
        serve(new TLSSocket(socket, { isServer: true, secureContext }), 'tls ');
        return;
      }
    });
  };
  const server = createServer((socket) => {
    socket.write('220-hello\r\n220 there\r\n');
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, commands, bodies, headers };
}

function writerTo(port: number, more: Partial<MailWriterOptions> = {}, login: object = {}): { writer: MailWriter; said: string[] } {
  const said: string[] = [];
  const writer = new MailWriter({
    server: { host: '127.0.0.1', port, auth: 'none', user: '', password: '', ...login },
    from: 'a@example.org',
    to: ['b@example.org', 'c@example.org'],
    subject: 'S',
    sendInterval: 0,
    retries: { delay: 5, max_delay: 10, max_jitter: 0, max_retries: -1 },
    onProblem: (text) => said.push(text),
    ...more,
  });
  return { writer, said };
}

describe('MailWriter', () => {
  it('hands over a mail for each message', async () => {
    const server = await mailServer();
    const { writer } = writerTo(server.port);
    await writer.write(['.one\nö', 'two']);
    await writer.close();
    expect(server.bodies).toEqual(['.one\nö', 'two']);
    expect(server.commands.slice(1, 6)).toEqual([
      'MAIL FROM:<a@example.org>',
      'RCPT TO:<b@example.org>',
      'RCPT TO:<c@example.org>',
      'DATA',
      expect.stringMatching(/^EHLO /),
    ]);
  });

  it('writes the headers of a mail', async () => {
    const server = await mailServer();
    const { writer } = writerTo(server.port);
    await writer.write(['x', 'y']);
    await writer.close();
    const [first, second] = server.headers;
    expect(first).toEqual({
      From: 'a@example.org',
      To: 'b@example.org, c@example.org',
      Subject: 'S',
      Date: expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} \+0000$/) as string,
      'Message-ID': expect.stringMatching(/^<[\w-]{36}@example\.org>$/) as string,
      'MIME-Version': '1.0',
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Transfer-Encoding': 'base64',
    });
    expect(second?.['Message-ID']).not.toBe(first?.['Message-ID']);
  });

  it.each([
    ['Svc [alerts]', 'Svc [alerts]'],
    ['Ausfälle in Köln', `=?UTF-8?B?${Buffer.from('Ausfälle in Köln').toString('base64')}?=`],
    ['a\r\nBcc: x', 'a Bcc: x'],
  ])('sends the subject %j as %j', async (subject, wanted) => {
    const server = await mailServer();
    const { writer } = writerTo(server.port, { subject });
    await writer.write(['x']);
    await writer.close();
    expect(server.headers[0]).toMatchObject({ Subject: wanted });
    expect(Object.keys(server.headers[0] ?? {})).toHaveLength(8);
  });

  it('tries again for those alone who did not get it, with the same identity', async () => {
    const answers: Record<string, string | undefined> = { 'RCPT TO:<b@example.org>': '450 later' };
    const server = await mailServer(answers);
    const { writer, said } = writerTo(server.port);
    const written = writer.write(['x']);
    await expect.poll(() => said).toEqual([expect.stringMatching(/b@example\.org: .*450 later/)]);
    delete answers['RCPT TO:<b@example.org>'];
    await written;
    await writer.close();
    const receivers = server.commands.filter((command) => command.startsWith('RCPT'));
    expect(receivers.filter((command) => command.includes('c@example.org'))).toHaveLength(1);
    expect(server.bodies).toEqual(['x', 'x']);
    expect(server.headers[1]).toEqual(server.headers[0]);
  });

  it.each([
    ['Plain', {}, [`AUTH PLAIN ${Buffer.from('\0me\0pw').toString('base64')}`]],
    [
      'CRAMMD5',
      // The example of RFC 2195.
      { AUTH: `334 ${Buffer.from('<1896.697170952@postoffice.reston.mci.net>').toString('base64')}` },
      ['AUTH CRAM-MD5', 'dGltIGI5MTNhNjAyYzdlZGE3YTQ5NWI0ZTZlNzMzNGQzODkw'],
    ],
  ])('logs in by %s', async (auth, answers, wanted) => {
    const server = await mailServer(answers);
    const login = auth === 'Plain' ? { user: 'me', password: 'pw' } : { user: 'tim', password: 'tanstaaftanstaaf' };
    const { writer } = writerTo(server.port, {}, { auth, ...login });
    await writer.write(['x']);
    expect(server.commands.slice(1, 1 + wanted.length)).toEqual(wanted);
    await writer.close();
  });

  it('tries again when the server refuses', async () => {
    const answers: Record<string, string | undefined> = { RCPT: '450 later' };
    const server = await mailServer(answers);
    // Of several receivers some could be accepted in one try and the others in the next.
    const { writer, said } = writerTo(server.port, { to: ['b@example.org'] });
    const written = writer.write(['x']);
    await expect.poll(() => said).toEqual([expect.stringContaining('450 later')]);
    delete answers.RCPT;
    await written;
    expect(server.bodies).toEqual(['x']);
    await writer.close();
  });

  it('puts what comes within the interval into one mail', async () => {
    const server = await mailServer();
    const { writer } = writerTo(server.port, { sendInterval: 150 });
    await writer.write(['one', 'two']);
    await writer.write(['three']);
    await expect.poll(() => server.bodies).toEqual(['one']);
    await expect.poll(() => server.bodies).toEqual(['one', 'two\r\n\r\nthree']);
    await writer.write(['four']);
    await writer.close();
    expect(server.bodies).toEqual(['one', 'two\r\n\r\nthree', 'four']);
  });

  it('refuses addresses that are more than that', async () => {
    const server = await mailServer();
    const { writer, said } = writerTo(server.port, { to: ['b@example.org>\r\nRCPT TO:<evil@example.org'], sendInterval: 1 });
    await writer.write(['x']);
    await writer.close();
    expect(said).toEqual([expect.stringMatching(/is not a mail address/)]);
    expect(server.commands.join()).not.toContain('evil');
  });

  describe('on the way to another machine', () => {
    const offer = '250-mail.example\r\n250-STARTTLS\r\n250 AUTH PLAIN';
    // A spelling that is not taken for this machine.
    const login = { host: 'LOCALHOST', auth: 'Plain', user: 'me', password: 'pw' };

    it('encrypts before it logs in', async () => {
      const known = getCACertificates();
      setDefaultCACertificates([...known, certificate]);
      cleanups.push(() => setDefaultCACertificates(known));
      const server = await mailServer({ EHLO: offer, STARTTLS: '220 go on' });
      const { writer } = writerTo(server.port, {}, login);
      await writer.write(['x']);
      await writer.close();
      expect(server.bodies).toEqual(['x']);
      expect(server.commands.map((command) => command.split(/[ :]/).slice(0, 2).join(' '))).toEqual([
        expect.stringContaining('EHLO'),
        'STARTTLS',
        ...['tls EHLO', 'tls AUTH', 'tls MAIL', 'tls RCPT', 'tls RCPT', 'tls DATA'],
      ]);
    });

    it.each([
      ['the server offers no encryption', {}],
      ['its certificate is not trusted', { EHLO: offer, STARTTLS: '220 go on' }],
      ['it refuses to encrypt', { EHLO: offer, STARTTLS: '454 not now' }],
    ])('sends no password when %s', async (_what, answers) => {
      const server = await mailServer({ STARTTLS: '502 what?', ...answers });
      const { writer, said } = writerTo(server.port, { sendInterval: 1 }, login);
      await writer.write(['x']);
      await writer.close();
      expect(said).toEqual([expect.stringMatching(/TLS|certificate/)]);
      expect(server.commands.join()).not.toMatch(/AUTH|MAIL/);
    });
  });
});
