import { z } from 'zod';
import { EngineError } from '../../base/errors.ts';
import { lookupFolder } from '../../lookup/folder.ts';
import { NOTE, told } from './answer.ts';
import { Refusal, type GrantedLogs } from './granted-logs.ts';
import type { ListedTool, ToolCall, ToolResult } from './protocol.ts';
import { RpcCode, RpcError, type Params } from './rpc.ts';
import type { Tool } from './tool.ts';

export interface ToolboxOptions {
  readonly logs: GrantedLogs;
  readonly tools: readonly Tool[];
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Whether the paths of files are told, not their names alone. */
  readonly paths: () => boolean;
  /** Called with each call that was answered. */
  readonly asked?: ((asked: AskedCall) => void) | undefined;
}

/** A call as it is noted for the person whose files are asked about. */
export interface AskedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly result: ToolResult;
  readonly ms: number;
}

/** Calls that are answered at a time, and those that wait for a turn. */
const [MOST_AT_ONCE, MOST_WAITING] = [4, 8];
/** Bytes of an answer beside what a tool fills. */
const FRAME_BYTES = 2000;

/** The tools with their limits: of calls at a time, of the time of a call, and of the size of an answer. */
export class Toolbox {
  readonly #options: ToolboxOptions;
  readonly #tools: ReadonlyMap<string, Tool>;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: ToolboxOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  }

  /** The tools as clients list them. */
  list(): ListedTool[] {
    return this.#options.tools.map(({ name, title, about, input, output }) => ({
      name,
      title,
      description: about,
      inputSchema: jsonSchema(input, 'input'),
      outputSchema: jsonSchema(z.object({ note: z.string(), data: output, more: z.string().optional() }), 'output'),
      annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    }));
  }

  /** Answers a call. @throws {RpcError} for a tool that there is not */
  async call(call: ToolCall): Promise<ToolResult> {
    const begin = performance.now();
    const result = await this.#checked(call);
    this.#options.asked?.({ tool: call.name, args: call.args, result, ms: performance.now() - begin });
    return result;
  }

  async #checked(call: ToolCall): Promise<ToolResult> {
    const tool = this.#tools.get(call.name);
    if (tool === undefined) throw new RpcError(RpcCode.params, `There is no tool ${call.name.slice(0, 100)}.`);
    const checked = tool.input.safeParse(call.args);
    if (!checked.success)
      return failed(
        checked.error.issues
          .slice(0, 5)
          .map(({ path, message }) => `${path.join('.')} ${message}`.trim())
          .join('; '),
      );
    if (this.#running >= MOST_AT_ONCE && this.#waiting.length >= MOST_WAITING)
      return failed(`${MOST_AT_ONCE + MOST_WAITING} calls are being answered: wait for their answers before you ask more.`);
    await this.#turn();
    try {
      return await this.#answer(tool, checked.data, call);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
  }

  async #answer(tool: Tool, input: unknown, { signal, progress }: ToolCall): Promise<ToolResult> {
    const { logs, rows, bytes, seconds, paths } = this.#options;
    const late = AbortSignal.timeout(seconds * 1000);
    const both = AbortSignal.any([signal, late]);
    try {
      both.throwIfAborted();
      const answer = await tool.run(input, { logs, rows, bytes: bytes - FRAME_BYTES, paths: paths(), signal: both, progress });
      const content = { note: NOTE, data: told(answer.data), ...(answer.more === undefined ? {} : { more: answer.more }) };
      const text = JSON.stringify(content);
      if (Buffer.byteLength(text) > bytes) return failed(`The answer is larger than ${bytes} bytes: ask for less.`);
      return { content: [{ type: 'text', text }], structuredContent: content, isError: false };
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof Refusal || error instanceof EngineError) return failed(paths() ? error.message : withoutFolder(error.message));
      if (!late.aborted) throw error;
      await logs.unstick();
      return failed(`It took longer than ${seconds} s: ask for less, such as fewer files or a shorter time.`);
    }
  }
}

/** The folder of the lookups may have the name of a person in it. */
function withoutFolder(text: string): string {
  const folder = lookupFolder();
  return folder === null ? text : text.replaceAll(folder, 'the folder of lookups');
}

/** An answer that says why there is none. */
function failed(text: string): ToolResult {
  return { content: [{ type: 'text', text: String(told(text)) }], isError: true };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Params {
  return z.toJSONSchema(schema, { io });
}
