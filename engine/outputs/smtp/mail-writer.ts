import { messageOf } from '../../errors.ts';
import { Delivery, type DeliveryOptions } from '../delivery.ts';
import { joined, type Piece, type Writer } from '../writers.ts';
import { mailHeader } from './encoded-words.ts';
import { sendMail, type SmtpServer } from './smtp-client.ts';

export interface MailWriterOptions extends DeliveryOptions {
  readonly server: SmtpServer;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Least milliseconds between two mails; what comes meanwhile goes into one mail. 0: each message is a mail. */
  readonly sendInterval: number;
}

const LINE = 76;

/** A mail as it is handed over. */
export function mailText(from: string, subject: string, body: Uint8Array): string {
  const base64 = Buffer.from(body).toString('base64');
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [''];
  const headers = [
    mailHeader('From', from),
    mailHeader('Subject', subject),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset="utf-8"',
    'Content-Transfer-Encoding: base64',
  ];
  return [...headers, '', ...lines].join('\r\n');
}

/** Sends messages as mails. */
export class MailWriter implements Writer {
  readonly #options: MailWriterOptions;
  readonly #delivery: Delivery;
  /** Bodies that wait for the end of the interval. */
  #waiting: Buffer[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sentAt = -Infinity;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: MailWriterOptions) {
    this.#options = options;
    this.#delivery = new Delivery(options);
  }

  async write(pieces: readonly Piece[]): Promise<void> {
    for (const piece of pieces) {
      const body = joined([piece]);
      if (this.#options.sendInterval === 0) await this.#delivery.until(() => this.#send(body));
      else this.#sendInTurn(body);
    }
  }

  closing(): void {
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#flush();
    await this.#sending;
    this.#delivery.giveUp();
  }

  #sendInTurn(body: Buffer): void {
    const wait = this.#sentAt + this.#options.sendInterval - performance.now();
    this.#waiting.push(body);
    if (wait <= 0 && this.#timer === null) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), Math.max(1, wait));
  }

  /** What waits goes out as one mail; one that fails is lost. */
  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    const body = Buffer.concat(this.#waiting.flatMap((part, i) => (i === 0 ? [part] : [Buffer.from('\r\n\r\n'), part])));
    this.#waiting = [];
    this.#sentAt = performance.now();
    this.#sending = this.#sending
      .then(() => this.#send(body))
      .catch((error: unknown) => this.#options.onProblem(`a mail was not sent and is lost: ${messageOf(error)}`));
  }

  #send(body: Buffer): Promise<void> {
    const { server, from, to, subject } = this.#options;
    return sendMail(server, { from, to, text: mailText(from, subject, body) }, this.#delivery.signal);
  }
}
