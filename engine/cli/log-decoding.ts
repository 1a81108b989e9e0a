import type { TextSource } from '../inputs/shared/read.ts';
import type { CommandContext } from './command.ts';
import type { InputChunk } from './message-source.ts';
import type { RawLogs } from './raw-logs.ts';

/** Decodes logs where a command is given some instead of messages: what that takes is loaded then. */
export class LogDecoding {
  readonly #context: CommandContext;
  #logs: RawLogs | null = null;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  readonly decodeLog = async function* (this: LogDecoding, source: TextSource): AsyncGenerator<InputChunk> {
    const { RawLogs } = await import('./raw-logs.ts');
    this.#logs ??= new RawLogs(this.#context);
    yield* this.#logs.read(source);
  }.bind(this);

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#logs?.close();
  }
}
