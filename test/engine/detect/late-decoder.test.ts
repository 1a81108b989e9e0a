import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PeekedInput } from '../../../engine/inputs/peeked-input.ts';
import { ProcessInput } from '../../../engine/inputs/process/process-input.ts';
import { textAt, type MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { LateDecoder } from '../../../engine/detect/late-decoder.ts';
import type { Sandbox, SandboxResult } from '../../../engine/sandbox/contract/types.ts';
import { temporaryFolder, TestSink } from '../inputs/harness.ts';
import { until } from '../../until.ts';

const records = (...texts: string[]): MessageBatch =>
  batchOf(texts.map((payload) => ({ uuid: new Uint8Array(16), timestamp: 0n, payload, fields: [] })));
const payloads = (batch: MessageBatch | null): string[] =>
  batch === null ? [] : Array.from({ length: batch.length }, (_, row) => textAt(batch.payload, row) ?? '');

/** A decoder that says its name in front of each record, and ends at a record "end". */
class Naming implements Pick<Sandbox, 'process' | 'stop' | 'report' | 'spec' | 'state' | 'timer'> {
  readonly spec;
  readonly state = 'running';
  stopped = false;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    this.spec = { ...new LateDecoder(() => undefined).spec, name };
  }

  process(batch: MessageBatch): Promise<SandboxResult> {
    const texts = payloads(batch);
    const end = texts.indexOf('end');
    const taken = end < 0 ? texts : texts.slice(0, end);
    const injected = taken.length === 0 ? null : records(...taken.map((text) => `${this.#name} ${text}`));
    return Promise.resolve({
      injected,
      origins: null,
      failures: [],
      terminated: end < 0 ? null : { code: 'script.status', row: end, reason: 'was told to' },
    });
  }

  timer(): Promise<SandboxResult> {
    return Promise.resolve({ injected: null, origins: null, failures: [], terminated: null });
  }

  report(): ReturnType<Sandbox['report']> {
    return new LateDecoder(() => undefined).report();
  }

  stop(): Promise<void> {
    this.stopped = true;
    return Promise.resolve();
  }
}

describe('a decoder that comes late', () => {
  it('lets records pass until it is there, and is exchanged between two batches', async () => {
    const late = new LateDecoder(() => expect.fail('ended'));
    const [one, two] = [new Naming('one'), new Naming('two')];
    const next = async (text: string): Promise<string[]> => payloads((await late.process(records(text), null)).injected);
    expect(await next('a')).toEqual(['a']);
    await late.use(one);
    expect(await next('b')).toEqual(['one b']);
    expect(late.spec.name).toBe('one');
    await late.use(two);
    expect([one.stopped, two.stopped]).toEqual([true, false]);
    expect(await next('c')).toEqual(['two c']);
    await late.use(null);
    expect(await next('d')).toEqual(['d']);
    expect(two.stopped).toBe(true);
  });

  it('that ends refuses the rest of its batch, and records pass from then on', async () => {
    const ends: string[] = [];
    const late = new LateDecoder(({ reason }) => ends.push(reason));
    await late.use(new Naming('one'));
    const result = await late.process(records('a', 'end', 'b'), null);
    expect(payloads(result.injected)).toEqual(['one a']);
    expect(result.terminated).toBeNull();
    expect(result.failures).toEqual([1, 2].map((row) => ({ row, reason: 'the decoder has ended: was told to' })));
    expect(ends).toEqual(['was told to']);
    expect(payloads((await late.process(records('c'), null)).injected)).toEqual(['c']);
  });

  it('is stopped with the rest', async () => {
    const late = new LateDecoder(() => undefined);
    const one = new Naming('one');
    await late.use(one);
    await late.stop();
    expect(one.stopped).toBe(true);
    expect(await late.report()).toMatchObject({ state: 'running', processed: 0 });
  });
});

describe('the first records of an input', () => {
  async function headOf(line: string, onHead: (text: string) => Promise<void>): Promise<{ input: PeekedInput; sink: TestSink }> {
    const command = { bin: 'sh', args: ['-c', line], env: [] };
    const process = new ProcessInput({ name: 'run', commands: [command], seconds: 0, hostname: 'box', split: { kind: 'line' } });
    const input = new PeekedInput(process, onHead);
    const sink = new TestSink();
    await input.start(sink);
    return { input, sink };
  }

  it('are shown before any is handed on, and those that come meanwhile wait', async () => {
    const seen = Promise.withResolvers<string>();
    const gate = Promise.withResolvers<void>();
    await using folder = await temporaryFolder();
    const more = folder.file('more');
    const { input, sink } = await headOf(`printf "a\\nb\\n"; until [ -e ${more} ]; do sleep 0.01; done; echo c; sleep 60`, (text) => {
      seen.resolve(text);
      return gate.promise;
    });
    expect(await seen.promise).toBe('a\nb\n');
    writeFileSync(more, '');
    await until(() => input.stats().records === 3, 'the record that comes meanwhile');
    expect(sink.payloads).toEqual([]);
    gate.resolve();
    await until(() => sink.payloads.length === 3, 'the records');
    expect(sink.payloads).toEqual(['a', 'b', 'c']);
    await input.stop();
  });

  it('are handed on at its end and at its stop, and when nobody can tell what they are', async () => {
    const failing = (): Promise<void> => Promise.reject(new Error('no idea'));
    const ended = await headOf('echo a', failing);
    expect(await ended.input.ended).toMatchObject({ status: 0 });
    expect(ended.sink.payloads).toEqual(['a']);
    const stopped = await headOf('echo a; sleep 60', failing);
    await until(() => stopped.input.stats().records === 1, 'the record');
    await stopped.input.stop();
    expect(stopped.sink.payloads).toEqual(['a']);
  });

  it('are not waited for when there are many, or none', async () => {
    const heads: string[] = [];
    const take = (text: string): Promise<void> => {
      heads.push(text);
      return Promise.resolve();
    };
    const many = await headOf('seq 1 20000; sleep 60', take);
    await until(() => many.sink.payloads.length === 20_000, 'all records');
    expect(many.sink.payloads.map(Number)).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
    await many.input.stop();
    const none = await headOf('true', take);
    await none.input.ended;
    expect(heads).toHaveLength(1);
  });
});
