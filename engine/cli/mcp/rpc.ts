import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { messageLines } from './message-lines.ts';

/** Codes of JSON-RPC 2.0, and the one of the Model Context Protocol for a version that is not spoken. */
export const RpcCode = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603, version: -32022 } as const;

/** An error that is answered with a code. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type RpcId = string | number;
export type Params = Readonly<Record<string, unknown>>;

/** A request that is being answered. */
export interface RpcRequest {
  readonly method: string;
  readonly params: Params;
  /** Aborted when the client takes the request back, or goes away. */
  readonly signal: AbortSignal;
  /** Tells the client something about the request. */
  readonly notify: (method: string, params: Params) => void;
}

export interface RpcServer {
  /** @throws {RpcError} */
  answer(request: RpcRequest): Promise<Params>;
  /** Called with an error that is a fault of the program. */
  failed(error: unknown): void;
}

const id = z.union([z.string().max(1000), z.int()]);
const params = z.record(z.string(), z.unknown()).optional();
const request = z.looseObject({ jsonrpc: z.literal('2.0'), id, method: z.string().max(1000), params });
const notification = z.looseObject({ jsonrpc: z.literal('2.0'), id: z.undefined().optional(), method: z.string(), params });

/** Bytes of a message. */
export const MOST_BYTES = 1 << 20;
/** Requests that are answered at a time; the next is read when one of them is. */
const MOST_AT_ONCE = 64;

/**
 * Answers the messages of a client, one a line, until they end. Each answer is one line.
 * @param write resolves when the client keeps up
 */
export async function serveRpc(input: AsyncIterable<unknown>, write: (line: string) => Promise<void>, server: RpcServer): Promise<void> {
  const running = new Map<RpcId, AbortController>();
  const answers = new Set<Promise<void>>();
  const send = (message: Params): Promise<void> => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const refuse = (code: number, message: string, of?: RpcId): Promise<void> =>
    send({ ...(of === undefined ? {} : { id: of }), error: { code, message } });

  const answer = async (of: RpcId, method: string, given: Params, stop: AbortController): Promise<void> => {
    const { signal } = stop;
    const notify = (name: string, about: Params): void => void (signal.aborted || send({ method: name, params: about }));
    try {
      const result = await server.answer({ method, params: given, signal, notify });
      if (!signal.aborted) await send({ id: of, result });
    } catch (error) {
      // To a request that was taken back there is no answer.
      if (signal.aborted) return;
      const known = error instanceof RpcError ? error : new RpcError(RpcCode.internal, messageOf(error));
      if (known !== error) server.failed(error);
      await send({
        id: of,
        error: { code: known.code, message: known.message, ...(known.data === undefined ? {} : { data: known.data }) },
      });
    } finally {
      running.delete(of);
    }
  };

  try {
    for await (const line of messageLines(input, MOST_BYTES)) {
      if (line === null) {
        await refuse(RpcCode.request, `A message has at most ${MOST_BYTES} bytes.`);
        continue;
      }
      if (line.trim() === '') continue;
      const message = parsed(line);
      if (message === undefined) {
        await refuse(RpcCode.parse, 'The message is no JSON.');
        continue;
      }
      const asked = request.safeParse(message);
      if (!asked.success) {
        const told = notification.safeParse(message);
        if (told.success) running.get(cancelled(told.data) ?? '')?.abort(new Error('The request was taken back.'));
        else if (!isResponse(message)) await refuse(RpcCode.request, whyNot(message), idOf(message));
        continue;
      }
      const { id: of, method, params: given = {} } = asked.data;
      if (running.has(of)) {
        await refuse(RpcCode.request, 'A request with this id is being answered.', of);
        continue;
      }
      const stop = new AbortController();
      running.set(of, stop);
      const answered = answer(of, method, given, stop).finally(() => answers.delete(answered));
      answers.add(answered);
      if (answers.size >= MOST_AT_ONCE) await Promise.race(answers);
    }
  } finally {
    for (const stop of running.values()) stop.abort(new Error('The client has gone.'));
    await Promise.allSettled(answers);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function cancelled({ method, params: given }: z.infer<typeof notification>): RpcId | undefined {
  return method === 'notifications/cancelled' ? id.safeParse(given?.requestId).data : undefined;
}

/** Nothing is asked of the client, so that a response is to nothing. */
const isResponse = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && ('result' in message || 'error' in message);

const idOf = (message: unknown): RpcId | undefined =>
  Array.isArray(message) ? undefined : id.safeParse((message as { id?: unknown } | null)?.id).data;

function whyNot(message: unknown): string {
  return Array.isArray(message) ? 'Messages come one a line, not in batches.' : 'The message is no request of JSON-RPC 2.0.';
}
