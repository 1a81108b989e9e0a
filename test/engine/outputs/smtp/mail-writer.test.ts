import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { mailHeader } from '../../../../engine/outputs/smtp/encoded-words.ts';
import { MailWriter, mailText, type MailWriterOptions } from '../../../../engine/outputs/smtp/mail-writer.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** What a reader makes of a header. */
const decoded = (header: string): string =>
  header
    .slice(header.indexOf(': ') + 2)
    .split('\r\n ')
    .map((word) => {
      const [, form, text = ''] = /^=\?utf-8\?([BQ])\?(.*)\?=$/.exec(word) ?? [];
      if (form === undefined) return Buffer.from(word);
      if (form === 'B') return Buffer.from(text, 'base64');
      return Buffer.from(
        text.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
        'latin1',
      );
    })
    .reduce((all, part) => Buffer.concat([all, part]), Buffer.alloc(0))
    .toString();

describe('a header of a mail', () => {
  it.each([
    ['Svc [alerts]', 'Subject: Svc [alerts]'],
    ['x'.repeat(69), `Subject: ${'x'.repeat(69)}`],
    ['Ausfälle in Köln', 'Subject: =?utf-8?Q?Ausf=C3=A4lle_in_K=C3=B6ln?='],
    ['日本語', 'Subject: =?utf-8?Q?=E6=97=A5=E6=9C=AC=E8=AA=9E?='],
    ['日本語のログ日本', `Subject: =?utf-8?B?${Buffer.from('日本語のログ日本').toString('base64')}?=`],
    ['a\r\nBcc: x', 'Subject: =?utf-8?Q?a=0D=0ABcc:_x?='],
  ])('%j', (subject, wanted) => expect(mailHeader('Subject', subject)).toBe(wanted));

  it.each([
    'x'.repeat(70),
    'é'.repeat(100),
    '日本語'.repeat(40),
    'a b=c?d_e'.repeat(30),
    `${'x'.repeat(200)}日本語`,
    '😀'.repeat(50),
    '\u{D800}',
  ])('comes back, in lines that are not too long: %j', (subject) => {
    const header = mailHeader('Subject', subject);
    for (const line of header.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
    expect(decoded(header)).toBe(subject.toWellFormed());
  });
});

it('a mail has its headers and its body in lines of base64', () => {
  const text = mailText('svc@localhost', 'Hi', Buffer.from('x'.repeat(60)));
  const base64 = Buffer.from('x'.repeat(60)).toString('base64');
  expect(text).toBe(
    [
      ...['From: svc@localhost', 'Subject: Hi', 'MIME-Version: 1.0', 'Content-Type: text/plain; charset="utf-8"'],
      ...['Content-Transfer-Encoding: base64', '', base64.slice(0, 76), base64.slice(76)],
    ].join('\r\n'),
  );
});

interface MailServer {
  readonly port: number;
  /** Commands of all connections. */
  readonly commands: string[];
  readonly bodies: string[];
}

/** @param answers to commands by their first word, in place of the usual ones */
async function mailServer(answers: Record<string, string | undefined> = {}): Promise<MailServer> {
  const commands: string[] = [];
  const bodies: string[] = [];
  const usual: Record<string, string> = {
    ...{ EHLO: '250-mail.example\r\n250-AUTH PLAIN CRAM-MD5\r\n250 8BITMIME', MAIL: '250 ok', RCPT: '250 ok' },
    ...{ DATA: '354 go on', QUIT: '221 bye', AUTH: '235 in' },
  };
  const serve = (socket: Socket): void => {
    let text = '';
    let inData = false;
    socket.on('error', () => undefined);
    socket.write('220-hello\r\n220 there\r\n');
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += String(chunk);
      for (;;) {
        const end = inData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (inData ? 5 : 2));
        if (inData) {
          bodies.push(Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4), 'base64').toString());
          inData = false;
          socket.write('250 queued\r\n');
          continue;
        }
        commands.push(part);
        const word = part.split(/[ :]/)[0] as string;
        inData = word === 'DATA' && answers.DATA === undefined;
        socket.write(`${answers[word] ?? usual[word] ?? '235 in'}\r\n`);
      }
    });
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, commands, bodies };
}

function writerTo(port: number, more: Partial<MailWriterOptions> = {}, login: object = {}): { writer: MailWriter; said: string[] } {
  const said: string[] = [];
  const writer = new MailWriter({
    server: { host: '127.0.0.1', port, auth: 'none', user: '', password: '', ...login },
    ...{ from: 'a@example.org', to: ['b@example.org', 'c@example.org'], subject: 'S', sendInterval: 0 },
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
      'QUIT',
    ]);
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
    const { writer, said } = writerTo(server.port);
    const written = writer.write(['x']);
    await expect.poll(() => said).toEqual([expect.stringContaining('the mail server answers 450 later to RCPT TO:<b@example.org>')]);
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
    expect(said).toEqual([expect.stringMatching(/is no mail address/)]);
    expect(server.commands.join()).not.toContain('evil');
  });
});
