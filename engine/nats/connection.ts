import type { NatsConnection, NodeConnectionOptions, PermissionViolationError } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { errorCode, messageOf } from '../base/errors.ts';

/** Options of TLS; the client passes on all that Node's `tls.connect` knows. */
type NodeTlsOptions = NonNullable<NodeConnectionOptions['tls']>;

/** The servers of a cluster, and how to log in. */
export interface NatsServers {
  readonly addresses: readonly string[];
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** Seed of an nkey. */
  readonly nkey?: Uint8Array | undefined;
  /** Text of a file of credentials. */
  readonly credentials?: Uint8Array | undefined;
  readonly tls: TlsOptions;
  readonly needsTls: boolean;
}

/** Milliseconds that making a connection, and each request, may take. */
export const TIMEOUT_MS = 5_000;
const RECONNECT_MS = 500;
/** Milliseconds that the end of a connection may take. */
const FAREWELL_MS = 500;
/** A server is asked so often whether it is there: one that is silent three times is left. */
const PING_MS = 20_000;
/** Milliseconds for which a connection is kept, whatever comes of it. */
const KEPT_MS = 5_000;
/** Errors of JetStream: the server sees no leader, as when it is separated from the others. */
const LEADERLESS = new Set([10_008, 10_009]);

/** A connection that is made when it is needed first, and made again when it has ended. A server that goes away is waited for. */
export class NatsLink {
  readonly #servers: NatsServers;
  readonly #name: string;
  readonly #onDenied: (denied: PermissionViolationError) => void;
  #connection: Promise<NatsConnection> | null = null;
  #connected = 0;
  /** The server that was left last. */
  #left: string | null = null;

  /**
   * @param name of the client, for the server's lists
   * @param onDenied told of what this user may not do, also where nobody waits for an answer
   */
  constructor(servers: NatsServers, name: string, onDenied: (denied: PermissionViolationError) => void = () => undefined) {
    this.#servers = servers;
    this.#name = name;
    this.#onDenied = onDenied;
  }

  /** @throws {Error} that says why no server takes it */
  async open(): Promise<NatsConnection> {
    this.#connection ??= this.#connect();
    try {
      const connection = await this.#connection;
      if (!connection.isClosed()) return connection;
      this.#connection = this.#connect();
      return await this.#connection;
    } catch (error) {
      this.#connection = null;
      throw new Error(`no connection to ${this.#servers.addresses.join(', ')}: ${reasonOf(error)}`, { cause: error });
    }
  }

  /**
   * Leaves the server if it did not answer, or sees nobody who does: it may be separated from those that are well, and a connection to it stays open. The next
   * one is made to another server. The client's own way to another one waits for the silent server to take what was sent.
   */
  leaveFor(error: unknown): void {
    const connection = this.#connection;
    if (connection === null || this.#servers.addresses.length < 2 || !isUnanswered(error)) return;
    if (performance.now() - this.#connected < KEPT_MS) return;
    this.#connection = null;
    void connection.then((left) => {
      this.#left = left.getServer();
      return left.close();
    }, ignore);
  }

  /** Takes back the questions that are open at the server, as it would still answer them for a moment; does not wait for a server that is away. */
  async close(): Promise<void> {
    const connection = (await this.#connection?.catch(() => null)) ?? null;
    this.#connection = null;
    if (connection === null) return;
    await Promise.race([connection.drain().catch(() => undefined), delay(FAREWELL_MS, null, { ref: false })]);
    await connection.close();
  }

  /** Loads the client only now: most configurations do without. */
  async #connect(): Promise<NatsConnection> {
    const { connect, credsAuthenticator, nkeyAuthenticator } = await import('@nats-io/transport-node');
    const { addresses, user, nkey, credentials, tls, needsTls } = this.#servers;
    // The client takes plain connections only where it is given no options of encryption.
    const isTls = needsTls || addresses.some((address) => address.startsWith('tls://')) || Object.keys(tls).length > 1;
    const connection = await connect({
      servers: inAnyOrder(addresses, this.#left),
      noRandomize: true,
      pingInterval: PING_MS,
      name: this.#name,
      timeout: TIMEOUT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      // A wrong password is reported to the caller that waits for a connection.
      ignoreAuthErrorAbort: true,
      ...(user === undefined ? {} : { user: user.name, pass: user.password }),
      ...(nkey === undefined ? {} : { authenticator: nkeyAuthenticator(nkey) }),
      ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(credentials) }),
      ...(isTls || tls.rejectUnauthorized === false ? { tls: tls as NodeTlsOptions } : {}),
    });
    this.#connected = performance.now();
    void connection.closed().catch(ignore);
    void this.#watch(connection).catch(ignore);
    return connection;
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) if (status.type === 'error' && isDenial(status.error)) this.#onDenied(status.error);
  }
}

const ignore = (): void => undefined;

/** The servers in a random order; one that was left comes last. */
function inAnyOrder(addresses: readonly string[], left: string | null): string[] {
  const place = (address: string): number => (left !== null && address.endsWith(left) ? 1 : Math.random());
  return addresses
    .map((address) => ({ address, at: place(address) }))
    .sort((a, b) => a.at - b.at)
    .map(({ address }) => address);
}

/** Whether an error says that nobody answered. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.name === 'NoRespondersError') return true;
  return ('code' in error && LEADERLESS.has(error.code as number)) || isUnanswered(error.cause);
}

const isDenial = (error: Error): error is PermissionViolationError => error.name === 'PermissionViolationError';

/** The text of an error of the client. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  if (error.name === 'AuthorizationError') return 'the login is refused';
  if (error.name === 'NoRespondersError') return 'no stream takes this subject, or JetStream is off';
  const denied = [error, error.cause].find((each): each is PermissionViolationError => each instanceof Error && isDenial(each));
  if (denied !== undefined) return deniedText(denied);
  if (error.name === 'TimeoutError') return 'there is no answer in time';
  return errorCode(error) === 'ECONNREFUSED' ? 'the connection is refused' : error.message;
}

/** The words for what a user may not do. */
export const deniedText = ({ operation, subject }: Pick<PermissionViolationError, 'operation' | 'subject'>): string =>
  `this user may not ${operation === 'publish' ? 'publish' : 'listen'} to ${subject}`;
