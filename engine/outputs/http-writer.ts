import { Delivery, type DeliveryOptions } from './delivery.ts';
import { HttpClient, type HttpTarget } from '../http-client.ts';
import { joined, type Piece, type Writer } from './writers.ts';

/** Sends a request for each message, in order. One that fails, or is answered by a status from 400 on, is sent again. */
export class HttpWriter implements Writer {
  readonly #client: HttpClient;
  readonly #delivery: Delivery;
  readonly #withBody: boolean;

  constructor(target: HttpTarget, options: DeliveryOptions) {
    this.#client = new HttpClient(target);
    this.#delivery = new Delivery(options);
    this.#withBody = target.method !== 'GET';
  }

  async write(pieces: readonly Piece[]): Promise<void> {
    for (const piece of pieces) {
      const body = this.#withBody ? joined([piece]) : null;
      await this.#delivery.until(async () => {
        const { status, body: answer } = await this.#client.send(body, this.#delivery.signal);
        if (status >= 400) throw new Error(`the server answers ${status}${answer === '' ? '' : `: ${answer.trim().slice(0, 200)}`}`);
      });
    }
  }

  closing(): void {
    this.#delivery.closing();
  }

  async close(): Promise<void> {
    this.#delivery.giveUp();
    this.#client.close();
  }
}
