import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileInput } from '../../../../engine/inputs/file/file-input.ts';
import { temporaryFolder, TestSink } from '../harness.ts';
import { until } from '../../../until.ts';

type Action =
  | { readonly kind: 'append'; readonly lengths: number[]; readonly unfinished: boolean }
  | { readonly kind: 'rename' | 'copytruncate' | 'truncate' | 'recreate' | 'restart' | 'stop' | 'settle' }
  | { readonly kind: 'pause'; readonly ms: number };

const append: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant('append'),
  lengths: fc.array(fc.oneof(fc.nat(80), fc.nat(3000)), { minLength: 1, maxLength: 8 }),
  unfinished: fc.boolean(),
});
const pause: fc.Arbitrary<Action> = fc.record({ kind: fc.constant('pause'), ms: fc.nat(30) });
const plain = (...kinds: ('rename' | 'copytruncate' | 'truncate' | 'recreate' | 'restart' | 'stop' | 'settle')[]): fc.Arbitrary<Action> =>
  fc.constantFrom(...kinds).map((kind) => ({ kind }));

/** Writes a log as programs and logrotate do, and knows what records that makes. */
class Writer {
  readonly written: string[] = [];
  readonly #log: string;
  #unfinished = '';
  #count = 0;

  constructor(log: string) {
    this.#log = log;
    writeFileSync(log, '');
  }

  append(lengths: readonly number[], unfinished: boolean): void {
    let data = '';
    for (const length of lengths) {
      const rest = `${this.#unfinished === '' ? `${this.#count++} ` : ''}${'abcdefghij'.repeat(length / 10 + 4)}`;
      this.#unfinished += rest;
      data += rest;
      if (unfinished && length === lengths.at(-1)) break;
      this.written.push(this.#unfinished);
      this.#unfinished = '';
      data += '\n';
    }
    appendFileSync(this.#log, data);
  }

  /** The file ends here: what was not finished never will be. */
  #cut(): void {
    if (this.#unfinished !== '') this.written.push(this.#unfinished);
    this.#unfinished = '';
  }

  finish(): void {
    if (this.#unfinished !== '') appendFileSync(this.#log, '\n');
    this.#cut();
  }

  rename(): void {
    this.#shift();
    this.#cut();
    renameSync(this.#log, `${this.#log}.1`);
    writeFileSync(this.#log, '');
  }

  copyTruncate(): void {
    this.#shift();
    this.#cut();
    execFileSync('cp', [this.#log, `${this.#log}.1`]);
    truncateSync(this.#log);
  }

  truncate(): void {
    this.#cut();
    truncateSync(this.#log);
  }

  recreate(): void {
    this.#cut();
    unlinkSync(this.#log);
    writeFileSync(this.#log, '');
  }

  #shift(): void {
    for (let i = 30; i > 0; i--) if (existsSync(`${this.#log}.${i}`)) renameSync(`${this.#log}.${i}`, `${this.#log}.${i + 1}`);
  }
}

describe('random schedules', () => {
  async function play(actions: readonly Action[], pattern: string): Promise<void> {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    const writer = new Writer(log);
    const options = { name: 'x', paths: [`${log}${pattern}`], stateDirectory: folder.file('state'), flushMs: 0, pollMs: 20 };
    const sink = new TestSink();
    let input: FileInput | null = null;
    const start = async (): Promise<void> => {
      if (input !== null) return;
      input = new FileInput(options);
      await input.start(sink);
    };
    const settle = async (): Promise<void> => {
      await start();
      await until(
        () => sink.records.length >= writer.written.length,
        () => JSON.stringify({ came: short(sink.payloads), wanted: short(writer.written) }),
      );
    };
    const stop = async (): Promise<void> => {
      await input?.stop();
      input = null;
    };
    try {
      writer.append([10], false);
      await settle();
      for (const action of actions) {
        if (action.kind === 'append') writer.append(action.lengths, action.unfinished);
        else if (action.kind === 'rename') writer.rename();
        else if (action.kind === 'copytruncate') {
          // The clock of a file system ticks in some milliseconds.
          await delay(12);
          writer.copyTruncate();
        } else if (action.kind === 'pause') await delay(action.ms);
        else if (action.kind === 'settle') await settle();
        else if (action.kind === 'stop') await stop();
        else if (action.kind === 'restart') await stop().then(start);
        else {
          // Records that nobody has read yet are lost with the file: only those that were read can be expected.
          writer.finish();
          await settle();
          if (action.kind === 'truncate') writer.truncate();
          else writer.recreate();
        }
      }
      writer.finish();
      await settle();
      await delay(30);
      if (pattern === '') expect(short(sink.payloads)).toEqual(short(writer.written));
      else expect(short(sink.payloads).toSorted()).toEqual(short(writer.written).toSorted());
    } finally {
      await stop();
    }
  }

  const short = (records: readonly string[]): string[] => records.map((record) => `${record.slice(0, 8)}/${record.length}`);

  it('lose nothing, double nothing and keep the order: a file that is rotated by renaming', async () => {
    const action = fc.oneof(
      { weight: 6, arbitrary: append },
      { weight: 3, arbitrary: pause },
      { weight: 4, arbitrary: plain('rename', 'restart', 'stop', 'settle', 'truncate', 'recreate') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 14 }), (actions) => play(actions, '')),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('lose nothing, double nothing and keep the order: a file that is copied and truncated', async () => {
    const action = fc.oneof(
      { weight: 6, arbitrary: append },
      { weight: 3, arbitrary: pause },
      { weight: 3, arbitrary: plain('copytruncate', 'restart', 'stop', 'settle') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 14 }), (actions) => play(actions, '')),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('lose nothing and double nothing: a pattern that the rotated files fit too', async () => {
    const action = fc.oneof(
      { weight: 6, arbitrary: append },
      { weight: 3, arbitrary: pause },
      { weight: 4, arbitrary: plain('rename', 'restart', 'stop', 'settle') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 14 }), (actions) => play(actions, '*')),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
