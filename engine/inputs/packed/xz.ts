import { ByteQueue } from './byte-queue.ts';
import { DamagedError, endsTooEarly } from './errors.ts';

/** The functions of the WebAssembly module of the package, which is XZ Embedded. */
interface XzExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  create_context(): number;
  destroy_context(context: number): void;
  supply_input(context: number, bytes: number): void;
  get_next_output(context: number): number;
}

/** The stream of the package makes one module for all, takes one file at a time, and waits for ever at one that is cut: its module is used, without the stream. */
interface XzModules {
  _getModuleInstance(): Promise<void>;
  _moduleInstance?: { readonly exports: XzExports };
}

const [OK, STREAM_END] = [0, 1];
const REASONS: Readonly<Record<number, string>> = {
  3: 'out of memory',
  4: 'it needs more memory than it may have',
  5: 'it is no xz stream',
  6: 'it has options that are not known, such as checksums by SHA-256',
  7: 'the data are damaged',
  8: 'the data are damaged',
};
/** Words of the context: size of its buffers, places of the input's buffer and fill, and those of the output. */
const [SIZE, INPUT, INPUT_AT, INPUT_END, OUTPUT, OUTPUT_AT] = [0, 1, 2, 3, 4, 5];
/** The text of an xz file of any number of streams (the .xz File Format 1.2). What comes before an error is the text before it. */
export async function* xzText(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const queue = new ByteQueue(source);
  try {
    yield* textOf(queue, await newModule());
  } finally {
    await queue.close();
  }
}

/** Memory of a module is not given back: each file has one of its own. */
async function newModule(): Promise<XzExports> {
  const { default: exported } = (await import('xz-decompress')) as unknown as {
    readonly default: { readonly XzReadableStream: XzModules };
  };
  const modules = exported.XzReadableStream;
  await modules._getModuleInstance();
  if (modules._moduleInstance === undefined) throw new Error('xz-decompress made no module');
  return modules._moduleInstance.exports;
}

/** The module reads one stream after the other; that the last one was the last it tells when it is given nothing more. */
async function* textOf(queue: ByteQueue, exports: XzExports): AsyncGenerator<Buffer, void, undefined> {
  const context = exports.create_context();
  const words = (): Uint32Array => new Uint32Array(exports.memory.buffer, context, OUTPUT_AT + 1);
  try {
    for (;;) {
      await queue.fill(1);
      const { [SIZE]: size = 0, [INPUT]: input = 0 } = words();
      const given = queue.bytes.subarray(0, size);
      new Uint8Array(exports.memory.buffer, input, size).set(given);
      exports.supply_input(context, given.length);
      queue.drop(given.length);
      for (;;) {
        const result = exports.get_next_output(context);
        const after = words();
        const { [OUTPUT]: output = 0, [OUTPUT_AT]: length = 0 } = after;
        if (length > 0) yield Buffer.from(new Uint8Array(exports.memory.buffer, output, length).slice().buffer);
        after[OUTPUT_AT] = 0;
        if (result === STREAM_END) return;
        if (result !== OK)
          throw given.length === 0 ? endsTooEarly() : new DamagedError(REASONS[result] ?? `the data are damaged (${result})`);
        if (length < size && after[INPUT_AT] === after[INPUT_END]) break;
      }
      if (given.length === 0) throw endsTooEarly();
    }
  } finally {
    exports.destroy_context(context);
  }
}
