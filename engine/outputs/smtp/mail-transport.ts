import { randomUUID } from 'node:crypto';
import type { SMTPSentMessageInfo, SMTPTransportOptions, Transporter } from 'nodemailer';
import { messageOf } from '../../base/errors.ts';

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly auth: 'none' | 'Plain' | 'CRAMMD5';
  readonly user: string;
  readonly password: string;
}

/** A mail on its way. It keeps its identity through all attempts, so that a receiver can tell a repetition. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly body: Buffer;
  readonly date: Date;
  readonly messageId: string;
  /** Receivers for whom no server has taken it yet. */
  waiting: readonly string[];
}

/** A server has not taken a mail for all its receivers. */
class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

type SmtpTransporter = Transporter<SMTPSentMessageInfo, SMTPTransportOptions>;

const ANSWER_MS = 60_000;
const MAX_ANSWER = 64 << 10;
const AUTH_METHODS = { Plain: 'PLAIN', CRAMMD5: 'CRAM-MD5' } as const;

/** A new mail of this moment. */
export function newMail(from: string, to: readonly string[], subject: string, body: Buffer): Mail {
  const messageId = `<${randomUUID()}@${from.split('@').at(-1) || 'localhost'}>`;
  return { from, to, subject, body, date: new Date(), messageId, waiting: to };
}

/** Hands mails over to a server, encrypted when the server offers that and is not this machine. A connection carries one mail. */
export class MailTransport {
  readonly #server: SmtpServer;
  #transporter: Promise<SmtpTransporter> | null = null;

  constructor(server: SmtpServer) {
    this.#server = server;
  }

  /** @throws when the server does not take the mail for all receivers that wait for it; those who do not get it go on waiting */
  async send(mail: Mail, signal: AbortSignal): Promise<void> {
    const from = addressOf(mail.from);
    const to = mail.to.map(addressOf);
    this.#transporter ??= open(this.#server);
    const transporter = await this.#transporter;
    const info = await transporter.sendMail({
      from,
      to,
      subject: mail.subject,
      date: mail.date,
      messageId: mail.messageId,
      text: mail.body,
      textEncoding: 'base64',
      envelope: { from, to: mail.waiting.map(addressOf) },
      signal,
    });
    const refused = info.rejected;
    if (refused.length === 0) return;
    mail.waiting = refused;
    throw new MailRefusedError(`the mail server does not take it for ${refused.join(', ')}: ${messageOf(info.rejectedErrors?.[0])}`);
  }
}

/** Loads the mail client, which few services need. */
async function open({ host, port, auth, user, password }: SmtpServer): Promise<SmtpTransporter> {
  const { createTransport } = await import('nodemailer');
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  return createTransport({
    host,
    port,
    secure: false,
    ignoreTLS: isLocal,
    // A password in plain text goes over no network.
    requireTLS: auth === 'Plain' && !isLocal,
    ...(auth === 'none' ? {} : { auth: { user, pass: password }, authMethod: AUTH_METHODS[auth], forceAuth: true }),
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    maxResponseSize: MAX_ANSWER,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** An address as it is: not one to be parsed for names and further addresses. */
function addressOf(address: string): { readonly name: string; readonly address: string } {
  if (/[\r\n<>]/.test(address)) throw new Error(`${JSON.stringify(address)} is not a mail address`);
  return { name: '', address };
}
