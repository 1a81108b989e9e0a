import { createHmac } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly auth: 'none' | 'Plain' | 'CRAMMD5';
  readonly user: string;
  readonly password: string;
}

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** With its headers; lines end with CRLF. */
  readonly text: string;
}

const ANSWER_MS = 60_000;
const MAX_ANSWER = 64 << 10;

interface Answer {
  readonly code: number;
  readonly lines: readonly string[];
}

/**
 * Hands a mail over to a server (RFC 5321), encrypted when the server offers that (RFC 3207) and is not this machine.
 * @throws when the server does not take it for all receivers
 */
export async function sendMail(server: SmtpServer, mail: Mail, signal: AbortSignal): Promise<void> {
  const talk = await Talk.begin(server, signal);
  try {
    let offers = await talk.greet();
    if (offers.has('STARTTLS') && !isLocal(server.host)) {
      await talk.ask('STARTTLS', 220);
      await talk.encrypt(server.host);
      offers = await talk.greet();
    }
    if (server.auth !== 'none') await logIn(talk, server);
    await talk.ask(`MAIL FROM:<${checkedAddress(mail.from)}>`, 250);
    for (const to of mail.to) await talk.ask(`RCPT TO:<${checkedAddress(to)}>`, 250, 251);
    await talk.ask('DATA', 354);
    await talk.ask(`${mail.text.replace(/^\./gm, '..')}\r\n.`, 250);
    await talk.ask('QUIT', 221).catch(() => undefined);
  } finally {
    talk.end();
  }
}

async function logIn(talk: Talk, { host, auth, user, password }: SmtpServer): Promise<void> {
  if (auth === 'Plain') {
    if (!talk.encrypted && !isLocal(host))
      throw new Error('the password would go over the network unencrypted: the server offers no STARTTLS');
    await talk.ask(`AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString('base64')}`, 235);
    return;
  }
  const { lines } = await talk.ask('AUTH CRAM-MD5', 334);
  const challenge = Buffer.from(lines[0] ?? '', 'base64');
  const digest = createHmac('md5', password).update(challenge).digest('hex');
  await talk.ask(Buffer.from(`${user} ${digest}`).toString('base64'), 235);
}

const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

function checkedAddress(address: string): string {
  if (/[\r\n<>]/.test(address)) throw new Error(`${JSON.stringify(address)} is no mail address`);
  return address;
}

/** Commands and answers over one connection. */
class Talk {
  #socket: Socket;
  #text = '';
  #failure: Error | null = null;
  #heard: (() => void) | null = null;
  encrypted = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen(socket);
  }

  static async begin({ host, port }: SmtpServer, signal: AbortSignal): Promise<Talk> {
    signal.throwIfAborted();
    const socket = connectTcp({ host, port, signal });
    const talk = new Talk(socket);
    await talk.#answer('the greeting', [220]);
    return talk;
  }

  /** Says who this is. Returns what the server offers. */
  async greet(): Promise<ReadonlySet<string>> {
    const { lines } = await this.ask(`EHLO ${hostname() || 'localhost'}`, 250);
    return new Set(lines.slice(1).map((line) => (line.split(' ')[0] as string).toUpperCase()));
  }

  async ask(command: string, ...wanted: readonly number[]): Promise<Answer> {
    if (this.#failure === null) this.#socket.write(`${command}\r\n`);
    return this.#answer(command.split('\r\n')[0]?.slice(0, 40) ?? '', wanted);
  }

  async encrypt(host: string): Promise<void> {
    this.#socket.removeAllListeners('data');
    const socket = connectTls({ socket: this.#socket, ...(isIP(host) ? { host } : { servername: host }) });
    this.#socket = socket;
    this.#text = '';
    this.#listen(socket);
    await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    this.encrypted = true;
  }

  end(): void {
    this.#socket.destroy();
  }

  #listen(socket: Socket): void {
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('the server does not answer')));
    socket.on('data', (text: string | Buffer) => {
      this.#text += String(text);
      if (this.#text.length > MAX_ANSWER) socket.destroy(new Error('the server says too much'));
      this.#heard?.();
    });
    const over = (error: Error): void => {
      this.#failure ??= error;
      this.#heard?.();
    };
    socket.on('error', over);
    socket.on('close', () => over(new Error('the server has closed the connection')));
  }

  /** The next answer, which may have several lines (RFC 5321, 4.2.1). */
  async #answer(to: string, wanted: readonly number[]): Promise<Answer> {
    for (;;) {
      const whole = /^(?:\d{3}-.*\r?\n)*(\d{3})(?: .*)?\r?\n/.exec(this.#text);
      if (whole !== null) {
        this.#text = this.#text.slice(whole[0].length);
        const code = Number(whole[1]);
        const lines = whole[0]
          .trimEnd()
          .split(/\r?\n/)
          .map((line) => line.slice(4));
        if (!wanted.includes(code)) throw new Error(`the mail server answers ${code} ${lines.join(' ')} to ${to}`);
        return { code, lines };
      }
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => (this.#heard = resolve));
      this.#heard = null;
    }
  }
}
