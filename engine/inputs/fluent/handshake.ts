import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { encodeMsgpack, MsgpackReader, type MsgpackValue } from './msgpack.ts';

/** The shared key and the users of an input: a client that does not know them is refused. */
export interface ForwardLogin {
  readonly sharedKey: string;
  /** Passwords by user names; empty: clients are asked for none. */
  readonly users: ReadonlyMap<string, string>;
}

/** The answer to the first message of a client. */
export interface HandshakeAnswer {
  /** Bytes to send. */
  readonly answer: Buffer;
  /** The reason for which nothing is taken from the client; empty: it has shown all that it has to know. */
  readonly refusal: string;
}

const SALT_BYTES = 16;

/** The two sides of a connection show each other that they know a key, without sending it; a client also that it knows the password of a user. */
export class Handshake {
  readonly #login: ForwardLogin;
  readonly #hostname: string;
  readonly #nonce = randomBytes(SALT_BYTES);
  /** Of passwords; empty: the client is asked for none. */
  readonly #salt: Buffer;

  /** @param hostname of this side */
  constructor(login: ForwardLogin, hostname: string) {
    this.#login = login;
    this.#hostname = hostname;
    this.#salt = randomBytes(login.users.size === 0 ? 0 : SALT_BYTES);
  }

  /** The first message of the connection. */
  get hello(): Buffer {
    const options = new Map<string, MsgpackValue>([
      ['nonce', this.#nonce],
      ['auth', this.#salt],
      ['keepalive', true],
    ]);
    return encodeMsgpack(['HELO', options]);
  }

  /** Checks the first message of the client. @throws {MsgpackError} for what is no list */
  answer(bytes: Buffer): HandshakeAnswer {
    const reader = new MsgpackReader(bytes);
    const [word = EMPTY, client = EMPTY, salt = EMPTY, digest = EMPTY, user = EMPTY, password = EMPTY] = Array.from(
      { length: Math.min(reader.array(), 6) },
      () => bytesOf(reader.value()),
    );
    const isKnown = word.toString() === 'PING' && isEqual(this.#digest(salt, client), digest);
    const refusal = !isKnown ? 'the shared key is another one' : this.#mayLogIn(user, password) ? '' : 'the user or the password is wrong';
    const own = refusal === '' ? this.#digest(salt, Buffer.from(this.#hostname)) : '';
    return { refusal, answer: encodeMsgpack(['PONG', refusal === '', refusal, this.#hostname, own]) };
  }

  /** @param digest of the password, in hex */
  #mayLogIn(user: Buffer, digest: Buffer): boolean {
    const { users } = this.#login;
    if (users.size === 0) return true;
    const password = users.get(user.toString());
    // An unknown user takes as long as a known one.
    const isRight = isEqual(digestOf(this.#salt, user, password ?? ''), digest);
    return isRight && password !== undefined;
  }

  #digest(salt: Buffer, hostname: Buffer): string {
    return digestOf(salt, hostname, this.#nonce, this.#login.sharedKey);
  }
}

const EMPTY = Buffer.alloc(0);

function digestOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

const bytesOf = (value: MsgpackValue): Buffer => (Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : ''));

function isEqual(expected: string, given: Buffer): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given.toString().toLowerCase())];
  return one.length === other.length && timingSafeEqual(one, other);
}
