import { messageOf } from '../../base/errors.ts';
import { after, type LongTimer } from '../../base/time/long-timer.ts';
import { Serial } from '../../base/time/serial.ts';
import { Delivery, type DeliveryOptions } from '../delivery.ts';
import { joined, type Pieces, type Writer } from '../writers.ts';
import { MailTransport, newMail, type Mail, type SmtpServer } from './mail-transport.ts';

export interface MailWriterOptions extends DeliveryOptions {
  readonly server: SmtpServer;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Least milliseconds between two mails; messages that come meanwhile go into one mail. 0: each message is a mail. */
  readonly sendInterval: number;
}

/** Sends messages as mails. */
export class MailWriter implements Writer {
  readonly #options: MailWriterOptions;
  readonly #delivery: Delivery;
  readonly #transport: MailTransport;
  /** Bodies that wait for the end of the interval. */
  #waiting: Buffer[] = [];
  #timer: LongTimer | null = null;
  #sentAt = -Infinity;
  readonly #mails = new Serial();

  constructor(options: MailWriterOptions) {
    this.#options = options;
    this.#delivery = new Delivery(options);
    this.#transport = new MailTransport(options.server);
  }

  get problem(): string | null {
    return this.#delivery.problem;
  }

  async write(pieces: Pieces): Promise<void> {
    for (const piece of pieces) {
      const body = joined([piece]);
      if (this.#options.sendInterval > 0) this.#sendInTurn(body);
      else await this.#deliver(this.#mail(body));
    }
  }

  closing(): void {
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#flush();
    await this.#mails.idle();
    this.#delivery.giveUp();
  }

  #sendInTurn(body: Buffer): void {
    const wait = this.#sentAt + this.#options.sendInterval - performance.now();
    this.#waiting.push(body);
    if (wait <= 0 && this.#timer === null) this.#flush();
    else this.#timer ??= after(Math.max(1, wait), () => this.#flush());
  }

  /** Sends the waiting messages as one mail; a mail that fails is lost. */
  #flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    const body = Buffer.concat(this.#waiting.flatMap((part, i) => (i === 0 ? [part] : [Buffer.from('\r\n\r\n'), part])));
    this.#waiting = [];
    this.#sentAt = performance.now();
    const mail = this.#mail(body);
    const sent = this.#mails.run(() => this.#send(mail));
    sent.catch((error: unknown) => this.#options.onProblem(`a mail was not sent and is lost: ${messageOf(error)}`));
  }

  #deliver(mail: Mail): Promise<void> {
    return this.#delivery.until(() => this.#send(mail));
  }

  #send(mail: Mail): Promise<void> {
    return this.#transport.send(mail, this.#delivery.signal);
  }

  #mail(body: Buffer): Mail {
    const { from, to, subject } = this.#options;
    return newMail(from, to, subject, body);
  }
}
