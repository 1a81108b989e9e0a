import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { encodeMsgpack, MsgpackReader, type MsgpackValue } from './msgpack.ts';

/** The two sides of a connection show each other that they know a key, without sending it. */
export class Handshake {
  readonly #key: string;
  readonly #hostname: string;
  readonly #nonce = randomBytes(16);

  /** @param hostname of this side */
  constructor(key: string, hostname: string) {
    this.#key = key;
    this.#hostname = hostname;
  }

  /** The first message of the connection. */
  get hello(): Buffer {
    const options = new Map<string, MsgpackValue>([
      ['nonce', this.#nonce],
      ['auth', Buffer.alloc(0)],
      ['keepalive', true],
    ]);
    return encodeMsgpack(['HELO', options]);
  }

  /** Checks the first message of the client. Returns the answer to send, and whether the client knows the key. @throws {MsgpackError} for what is no list */
  answer(bytes: Buffer): { readonly answer: Buffer; readonly isKnown: boolean } {
    const reader = new MsgpackReader(bytes);
    const [word, client = '', salt = '', digest = ''] = Array.from({ length: Math.min(reader.array(), 6) }, () => bytesOf(reader.value()));
    const isKnown =
      word?.toString() === 'PING' && isEqual(this.#digest(Buffer.from(salt), Buffer.from(client)), Buffer.from(digest).toString());
    const own = isKnown ? this.#digest(Buffer.from(salt), Buffer.from(this.#hostname)) : '';
    return { isKnown, answer: encodeMsgpack(['PONG', isKnown, isKnown ? '' : 'the shared key is another one', this.#hostname, own]) };
  }

  #digest(salt: Buffer, hostname: Buffer): string {
    return createHash('sha512').update(salt).update(hostname).update(this.#nonce).update(this.#key).digest('hex');
  }
}

const bytesOf = (value: MsgpackValue): Buffer => (Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : ''));

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given.toLowerCase())];
  return one.length === other.length && timingSafeEqual(one, other);
}
