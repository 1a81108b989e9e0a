import { z } from 'zod';
import { RpcCode, RpcError, type Params, type RpcRequest } from './rpc.ts';

/** Revisions whose requests each say what they speak. */
const EACH_REQUEST = ['2026-07-28'];
/** Revisions that begin with a handshake, the latest first. */
const HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const SUPPORTED = [...EACH_REQUEST, ...HANDSHAKE];

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const SERVER = 'io.modelcontextprotocol/serverInfo';
/** Tools stay the same for as long as the process runs. */
const CACHED = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

/** A tool as a client lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Params;
  readonly outputSchema: Params;
  readonly annotations: Params;
}

/** A call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** Tells how far it is. */
  readonly progress: (done: number, total: number) => void;
}

export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

export interface ProtocolOptions {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
  /** @throws {RpcError} for a tool that there is not */
  readonly call: (call: ToolCall) => Promise<ToolResult>;
}

/**
 * The Model Context Protocol, in its revisions with a handshake and in those without one: tools, and nothing else. What a request says of its version decides how it is
 * answered.
 */
export class Protocol {
  readonly #options: ProtocolOptions;
  readonly #server: Params;

  constructor(options: ProtocolOptions) {
    this.#options = options;
    this.#server = { name: 'sluicebox', title: 'Sluicebox', version: options.version };
  }

  /** @throws {RpcError} */
  async answer(request: RpcRequest): Promise<Params> {
    const meta = metaOf(request.params);
    if (request.method === 'initialize') return this.#initialized(request.params);
    if (meta[VERSION] === undefined && request.method !== 'server/discover') return this.#answered(request, false);
    check(meta);
    return { ...(await this.#answered(request, true)), resultType: 'complete', _meta: { [SERVER]: this.#server } };
  }

  async #answered(request: RpcRequest, isModern: boolean): Promise<Params> {
    const { tools, instructions } = this.#options;
    switch (request.method) {
      case 'server/discover':
        return { supportedVersions: SUPPORTED, capabilities: { tools: {} }, instructions, ...CACHED };
      case 'ping':
        if (!isModern) return {};
        break;
      case 'tools/list':
        if (request.params.cursor !== undefined) throw new RpcError(RpcCode.params, 'There is no such cursor: all tools are on one page.');
        return { tools, ...(isModern ? CACHED : {}) };
      case 'tools/call':
        return { ...(await this.#called(request)) };
    }
    throw new RpcError(RpcCode.method, `There is no method ${request.method.slice(0, 100)}.`);
  }

  #initialized(params: Params): Params {
    const { protocolVersion: asked } = params;
    if (typeof asked !== 'string') throw new RpcError(RpcCode.params, 'initialize needs a protocolVersion.');
    return {
      protocolVersion: HANDSHAKE.includes(asked) ? asked : HANDSHAKE[0],
      capabilities: { tools: {} },
      serverInfo: this.#server,
      instructions: this.#options.instructions,
    };
  }

  #called({ params, signal, notify }: RpcRequest): Promise<ToolResult> {
    const called = callSchema.safeParse(params);
    if (!called.success) throw new RpcError(RpcCode.params, 'tools/call needs the name of a tool, and arguments that are an object.');
    const { progressToken } = metaOf(params);
    const progress = (done: number, total: number): void => {
      if (typeof progressToken === 'string' || typeof progressToken === 'number')
        notify('notifications/progress', { progressToken, progress: done, total, message: 'Files are being read.' });
    };
    return this.#options.call({ name: called.data.name, args: called.data.arguments ?? {}, signal, progress });
  }
}

const callSchema = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

function metaOf({ _meta: meta }: Params): Params {
  return typeof meta === 'object' && meta !== null ? (meta as Params) : {};
}

/** @throws {RpcError} for a request that says nothing of its version, or of one that is not spoken so */
function check(meta: Params): void {
  const { [VERSION]: version, [CAPABILITIES]: capabilities } = meta;
  if (typeof version !== 'string' || typeof capabilities !== 'object' || capabilities === null)
    throw new RpcError(RpcCode.params, `_meta needs ${VERSION} and ${CAPABILITIES}.`);
  if (!EACH_REQUEST.includes(version))
    throw new RpcError(RpcCode.version, 'Unsupported protocol version', { supported: SUPPORTED, requested: version.slice(0, 100) });
}
