import { expect } from 'vitest';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import type { FileInputOptions } from '../../../../engine/inputs/file/options.ts';
import { TestSink } from '../harness.ts';
import { until } from '../../../until.ts';

/** An input that runs in a test, and ends with it. */
interface Running {
  readonly input: FileInput;
  readonly sink: TestSink;
  /** Waits until exactly these payloads have come, in this order. */
  expect(payloads: readonly string[]): Promise<void>;
  notice(code: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts an input that follows these files. */
export async function follow(paths: string[], options: Partial<FileInputOptions> = {}, sink = new TestSink()): Promise<Running> {
  const input = new FileInput({ name: 'test', paths, pollMs: 100, ...options });
  await input.start(sink);
  return {
    input,
    sink,
    expect: async (payloads) => {
      await until(
        () => sink.records.length >= payloads.length,
        () => JSON.stringify({ wanted: payloads, came: sink.payloads }),
      );
      expect(sink.payloads).toEqual(payloads);
    },
    notice: async (code) => {
      await until(() => sink.codes.includes(code), `${code}, not ${sink.codes.join(', ')}`);
      return sink.notices.find((notice) => notice.code === code)?.text ?? '';
    },
    [Symbol.asyncDispose]: () => input.stop(),
  };
}
