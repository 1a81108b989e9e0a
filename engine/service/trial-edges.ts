import type { Input, InputSink, InputStats } from '../inputs/types.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { Message } from '../message/types.ts';
import type { Pieces, Writer } from '../outputs/writers.ts';
import type { Consumer } from '../pipeline/consumer.ts';
import type { Selection } from '../pipeline/selection.ts';
import type { PipelineEdges } from './pipeline-edges.ts';

/** Selects the rows of a batch observed at a place: those that an output gets, a filter injects, or an input delivers. */
export type Interest = (batch: MessageBatch, injected: boolean) => Iterable<number>;

/** Texts that the script of an input reads. */
export interface Reading {
  readonly input: string;
  readonly texts: readonly string[];
}

/** Pipeline edges in memory: inputs that messages are pushed into, writers that keep their texts, and an observer. */
export class TrialEdges implements PipelineEdges {
  readonly messages = new PushInput('');
  readonly observer: Observer;
  readonly #inputs = new Map<string, PushInput>();
  readonly #writers = new Map<string, MemoryWriter>();

  readonly #reading: Reading | null;

  constructor(interest: Interest, reading: Reading | null = null) {
    this.observer = new Observer(interest);
    this.#reading = reading;
  }

  texts({ name }: { readonly name: string }): readonly string[] | null {
    return this.#reading?.input === name ? this.#reading.texts : null;
  }

  input({ name }: { readonly name: string }): PushInput {
    const input = new PushInput(name);
    this.#inputs.set(name, input);
    return input;
  }

  writer(name: string): MemoryWriter {
    const writer = new MemoryWriter();
    this.#writers.set(name, writer);
    return writer;
  }

  /** Returns the input of that name, or the one for messages without an input. */
  pushInput(name: string | undefined): PushInput {
    return (name === undefined ? undefined : this.#inputs.get(name)) ?? this.messages;
  }

  written(name: string): readonly string[] {
    return this.#writers.get(name)?.texts ?? [];
  }

  /** Reports all inputs as idle. */
  idle(): void {
    for (const input of [...this.#inputs.values(), this.messages]) input.idle();
  }
}

/** An input that messages are pushed into. */
class PushInput implements Input {
  readonly name: string;
  #sink: InputSink | null = null;

  constructor(name: string) {
    this.name = name;
  }

  start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    return Promise.resolve();
  }

  /** Delivers a batch. Resolves when its messages are processed. */
  async give(batch: MessageBatch): Promise<void> {
    const { promise: through, resolve } = Promise.withResolvers<void>();
    await this.#sink?.deliver({ batch, firstLine: 0, acknowledge: resolve });
    await through;
  }

  idle(): void {
    this.#sink?.idle();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  stats(): InputStats {
    return { bytes: 0, records: 0, dropped: 0, totalBytes: 0 };
  }
}

class MemoryWriter implements Writer {
  readonly texts: string[] = [];

  write(pieces: Pieces): Promise<void> {
    for (const piece of pieces) this.texts.push(typeof piece === 'string' ? piece : Buffer.from(piece).toString());
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class Observer implements Consumer {
  readonly name = 'observer';
  readonly pending = 0;
  readonly seen: Message[] = [];
  readonly #interest: Interest;

  constructor(interest: Interest) {
    this.#interest = interest;
  }

  submit({ batch, injected }: Selection): Promise<void> {
    for (const row of this.#interest(batch, injected)) this.seen.push(batch.message(row));
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
