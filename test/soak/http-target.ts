import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Random } from './random.ts';

/** Milliseconds in which requests are answered, or in which they fail. */
const SPELL_MS = [20, 200] as const;
/** Of the requests that fail, those with each fate; the others are answered by 500. */
const RESET = 0.3;
const TAKEN_AND_RESET = 0.1;
const HANGING = 0.01;

/** A server that fails half of the time: by a status of 500, by a reset before or after it has taken the record, or by no answer at all. */
export class HttpTarget {
  readonly #random: Random;
  readonly #onRecord: (text: string) => void;
  readonly #onUnanswered: () => void;
  readonly #server: Server;
  #failing = false;
  /** Time in which it answered, and in which it failed. */
  readonly #times = { fine: 0, failing: 0 };
  #turn: NodeJS.Timeout | null = null;
  #calm = false;
  #requests = 0;
  #failures = 0;
  /** Connections whose last request was answered: when the sender ends one, it may have done so before the answer came. */
  readonly #answered = new WeakSet<Socket>();

  /** @param onUnanswered called when a record was taken and its sender may not know it: then it has to send it again */
  constructor(random: Random, onRecord: (text: string) => void, onUnanswered: () => void) {
    this.#random = random;
    this.#onRecord = onRecord;
    this.#onUnanswered = onUnanswered;
    this.#server = createServer((request, response) => this.#take(request, response));
    this.#server.on('connection', (socket) => {
      socket.once('close', () => {
        if (this.#answered.has(socket)) this.#onUnanswered();
      });
    });
  }

  get requests(): number {
    return this.#requests;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Share of the time in which it failed, before it was calmed. */
  get failingShare(): number {
    const { fine, failing } = this.#times;
    return failing / Math.max(1, fine + failing);
  }

  async listen(port: number): Promise<void> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening');
    this.#begin(false);
  }

  /** Fails nothing any more. */
  calm(): void {
    this.#calm = true;
    this.#begin(false);
  }

  async close(): Promise<void> {
    if (this.#turn !== null) clearTimeout(this.#turn);
    this.#server.close().closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Begins a time in which requests fail or are answered; the other one follows. */
  #begin(failing: boolean): void {
    if (this.#turn !== null) clearTimeout(this.#turn);
    this.#turn = null;
    this.#failing = failing;
    if (this.#calm) return;
    const since = performance.now();
    this.#turn = setTimeout(
      () => {
        this.#times[failing ? 'failing' : 'fine'] += performance.now() - since;
        this.#begin(!failing);
      },
      this.#random.between(...SPELL_MS),
    );
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.setEncoding('latin1').on('data', (text) => (body += String(text)));
    request.on('error', () => undefined);
    request.on('end', () => this.#answer(body.trimEnd(), response));
  }

  #answer(text: string, response: ServerResponse): void {
    this.#requests++;
    const { socket } = response;
    if (socket !== null) this.#answered.delete(socket);
    if (this.#failing) return this.#fail(text, response);
    this.#onRecord(text);
    if (socket === null) this.#onUnanswered();
    else this.#answered.add(socket);
    response.writeHead(204).end();
  }

  #fail(text: string, response: ServerResponse): void {
    this.#failures++;
    const fate = this.#random.next();
    if (fate < HANGING) return;
    if (fate < HANGING + RESET) {
      response.socket?.resetAndDestroy();
    } else if (fate < HANGING + RESET + TAKEN_AND_RESET) {
      this.#onRecord(text);
      this.#onUnanswered();
      response.socket?.resetAndDestroy();
    } else {
      response.writeHead(500).end('not now');
    }
  }
}
