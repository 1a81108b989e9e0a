import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Backoff } from '../../../engine/base/time/backoff.ts';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { messagesOf } from '../../../engine/message/batch/row-index.ts';
import { BufferedConsumer, type BufferedOptions } from '../../../engine/pipeline/buffered-consumer.ts';
import { openBuffering } from '../../../engine/service/buffering.ts';
import type { Consumer } from '../../../engine/pipeline/consumer.ts';
import { Subscription, type Selection } from '../../../engine/pipeline/selection.ts';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import type { Receipt } from '../../../engine/outputs/writers.ts';
import { DiskQueue } from '../../../engine/queue/disk-queue.ts';
import { encodeRecord } from '../../../engine/queue/record.ts';
import { hand, message, payloads } from './fakes.ts';

let folder: string;
let problems: string[];
let full: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-buffer-'));
  problems = [];
  full = [];
});

afterEach(() => {
  vi.restoreAllMocks();
  return rm(folder, { recursive: true, force: true });
});

/** Whether consumers look at selected rows only: then they get messages as they were stored, not as they are on the disk. */
let takesRows = false;

interface Taken {
  readonly payloads: string[];
  readonly loop: number;
  readonly signer: string;
  readonly injected: boolean;
}

/** A consumer that notes what it gets, and finishes it when it is let. When the service stops it gives up, also on what comes then. */
class SlowConsumer implements Consumer {
  readonly name = 'slow';
  readonly takesRows = takesRows;
  readonly pending = 0;
  subscription?: Subscription;
  readonly taken: Taken[] = [];
  readonly waiting: PromiseWithResolvers<void>[] = [];
  auto = true;
  stopped = false;
  #closing = false;

  submit({ batch, rows, encoded, loop, signer, injected }: Selection): Promise<void> {
    const all = payloads(batch);
    const messages = [...messagesOf(batch, rows)].map((each) => Buffer.from(encodeMessage(each)).toString('hex'));
    expect((encoded ?? []).map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(messages);
    this.taken.push({ payloads: rows === null ? all : Array.from(rows, (row) => all[row] ?? ''), loop, signer, injected });
    if (this.auto) return Promise.resolve();
    const turn = Promise.withResolvers<void>();
    this.waiting.push(turn);
    if (this.#closing) turn.reject(new Error('gives up'));
    return turn.promise;
  }

  closing(): void {
    this.#closing = true;
    for (const { reject } of this.waiting) reject(new Error('gives up'));
  }

  async stop(): Promise<void> {
    this.stopped = true;
  }

  get all(): string[] {
    return this.taken.flatMap((taken) => taken.payloads);
  }
}

/** A consumer that ends at a message. */
class EndingConsumer extends SlowConsumer {
  readonly #end: string;
  #ended = false;

  constructor(end: string) {
    super();
    this.#end = end;
  }

  override async submit(selection: Selection): Promise<void> {
    const written = super.submit(selection);
    const at = this.#ended ? 0 : (this.taken.at(-1)?.payloads ?? []).indexOf(this.#end);
    this.#ended ||= at >= 0;
    await written;
    if (at >= 0) throw new NotDeliveredError('it has ended', false, { done: at });
  }
}

async function buffered(inner: SlowConsumer, more: Partial<BufferedOptions> = {}, maxBufferSize = 0): Promise<BufferedConsumer> {
  const queue = await DiskQueue.open({
    path: folder,
    maxFileSize: 0,
    maxBufferSize,
    cursorUpdateCount: 0,
    onProblem: (text) => problems.push(text),
  });
  const consumer = new BufferedConsumer({
    inner,
    queue,
    fullAction: 'shutdown',
    matcher: { select: () => null },
    startWaits: () => new Backoff({ delay: 1, max_delay: 1, max_jitter: 0, max_retries: 3 }),
    onProblem: (text) => problems.push(text),
    onFull: (text) => full.push(text),
    ...more,
  });
  return consumer;
}

const batch = (...texts: string[]): MessageBatch => batchOf(texts.map((text) => message(text)));

/** A consumer that is done with one message at a time, and is stuck at one. */
class PiecemealConsumer extends SlowConsumer {
  readonly #stuckAt: string;

  constructor(stuckAt: string) {
    super();
    this.#stuckAt = stuckAt;
    this.auto = false;
  }

  override async submit(selection: Selection, receipt?: Receipt): Promise<void> {
    const stuck = super.submit(selection);
    const through = (this.taken.at(-1)?.payloads ?? []).indexOf(this.#stuckAt);
    for (let count = 1; count <= through; count++) await receipt?.taken(count);
    await stuck;
  }
}

describe.each([false, true])('a consumer with a buffer that takes rows: %s', (rows) => {
  beforeEach(() => {
    takesRows = rows;
  });

  it.each<[title: string, select: BufferedOptions['matcher'], left: string[]]>([
    ['all', { select: () => null }, ['c', 'd', 'e']],
    ['some', { select: ({ length }) => (length === 5 ? Uint32Array.of(1, 2, 4) : null) }, ['c', 'e']],
  ])('gets nothing again that it said it was done with: %s', async (_title, matcher, left) => {
    const first = new PiecemealConsumer('c');
    const consumer = await buffered(first, { matcher });
    await consumer.start();
    void hand(consumer, batch('a', 'b', 'c', 'd', 'e'));
    const saved = (): boolean => existsSync(join(folder, 'checkpoint.txt'));
    await expect.poll(saved).toBe(true);
    await expect.poll(() => readFileSync(join(folder, 'checkpoint.txt'), 'utf8')).not.toMatch(/^0 0 /);
    const before = readFileSync(join(folder, 'checkpoint.txt'), 'utf8');
    const second = new SlowConsumer();
    // As after a kill: the first one has not ended, and its checkpoint is there.
    await expect.poll(() => readFileSync(join(folder, 'checkpoint.txt'), 'utf8')).toBe(before);
    const next = await buffered(second);
    await next.start();
    await expect.poll(() => second.all).toEqual(left);
    first.closing();
    await consumer.stop().catch(() => undefined);
    await next.stop();
  });

  it('gets what its matcher selects from those who signed it, with the way that it came', async () => {
    const inner = new SlowConsumer();
    const consumer = await buffered(inner, { matcher: { select: () => Uint32Array.of(0, 2) }, signer: 'ops' });
    await consumer.start();
    await hand(consumer, batch('a', 'b', 'c'), { signer: 'ops' });
    await hand(consumer, batch('d', 'e', 'f'));
    await hand(consumer, batch('g', 'h', 'i'), { loop: 3, signer: 'ops', injected: true });
    await expect.poll(() => inner.all).toEqual(['a', 'c', 'g', 'i']);
    expect(inner.taken.at(-1)).toEqual({ payloads: ['g', 'i'], loop: 3, signer: 'ops', injected: true });
    await expect.poll(() => consumer.backlog).toBe(0);
    await consumer.stop();
    expect(inner.stopped).toBe(true);
  });

  it('gets again at the next start what it had not finished', async () => {
    const first = new SlowConsumer();
    first.auto = false;
    const before = await buffered(first);
    await before.start();
    await hand(before, batch('a'));
    await expect.poll(() => first.waiting.length).toBe(1);
    first.waiting[0]?.resolve();
    await expect.poll(() => before.backlog).toBe(0);
    await hand(before, batch('b', 'c'));
    await expect.poll(() => first.waiting.length).toBe(2);
    await hand(before, batch('d'));
    expect(before.backlog).toBeGreaterThan(0);
    await before.stop();
    const second = new SlowConsumer();
    const after = await buffered(second);
    await after.start();
    await expect.poll(() => second.all).toEqual(['b', 'c', 'd']);
    await after.stop();
  });

  it('does not get what was stored under another matcher and is not wanted any more', async () => {
    const first = new SlowConsumer();
    first.auto = false;
    const before = await buffered(first);
    await before.start();
    await hand(before, batch('a', 'b'));
    await before.stop();
    const second = new SlowConsumer();
    second.subscription = new Subscription({ matcher: compileMatcher("Payload == 'b'") });
    const after = await buffered(second);
    await after.start();
    await expect.poll(() => after.backlog).toBe(0);
    expect(second.all).toEqual(['b']);
    await after.stop();
  });

  it('that ends leaves what it has not seen for the next start', async () => {
    const first = new SlowConsumer();
    first.auto = false;
    const before = await buffered(first);
    await before.start();
    await hand(before, batch('a', 'b'));
    await expect.poll(() => first.waiting.length).toBe(1);
    before.abandon();
    first.waiting[0]?.reject(new NotDeliveredError('it has ended', false, { done: 1 }));
    await hand(before, batch('c'));
    await before.stop();
    const second = new SlowConsumer();
    const after = await buffered(second);
    await after.start();
    await expect.poll(() => second.all).toEqual(['b']);
    await after.stop();
  });

  it.each(['a', 'b', 'c', 'd', 'e', 'f', 'none'])(
    'that ends at %s gets all from there on at the next start, and nothing before',
    async (end) => {
      const wanted = (texts: readonly string[]): string[] => texts.filter((text) => text !== 'x');
      const matcher = compileMatcher("Payload != 'x'");
      const first = new EndingConsumer(end);
      first.subscription = new Subscription({ matcher });
      const before = await buffered(first);
      // Messages that came in several ways are delivered by several calls; some are not wanted any more.
      await hand(before, batch('a', 'x', 'b'));
      await hand(before, batch('x', 'c', 'x', 'd'), { loop: 1, injected: true });
      await hand(before, batch('e', 'x', 'x', 'f', 'x'));
      await before.start();
      await expect.poll(() => before.backlog).toBe(0);
      await before.stop();
      const all = ['a', 'b', 'c', 'd', 'e', 'f'];
      const at = end === 'none' ? all.length : all.indexOf(end);
      const second = new SlowConsumer();
      const after = await buffered(second);
      await after.start();
      await expect.poll(() => after.backlog).toBe(0);
      expect(wanted(second.all)).toEqual(all.slice(at));
      await after.stop();
    },
  );

  it('that ends lets go of those who wait for room, and says what is lost', async () => {
    const inner = new SlowConsumer();
    inner.auto = false;
    const consumer = await buffered(inner, { fullAction: 'block' }, 200);
    await consumer.start();
    const submitted = hand(consumer, batch(...Array.from({ length: 9 }, (_, i) => `message ${i}`)));
    await expect.poll(() => inner.waiting.length).toBe(1);
    consumer.abandon();
    await submitted;
    inner.waiting[0]?.reject(new NotDeliveredError('it has ended', false));
    await consumer.stop();
    expect(problems).toEqual([expect.stringMatching(/^its buffer is full: \d+ bytes wait; \d messages are lost$/)]);
  });

  it('that is smaller than a batch takes it piece by piece, as long as it is emptied', async () => {
    const inner = new SlowConsumer();
    const consumer = await buffered(inner, {}, 400);
    await consumer.start();
    const texts = Array.from({ length: 12 }, (_, i) => `message ${i}`);
    await hand(consumer, batch(...texts));
    await expect.poll(() => inner.all).toEqual(texts);
    expect([full, problems]).toEqual([[], []]);
    await consumer.stop();
  });

  it.each(['shutdown', 'drop', 'block'] as const)('that is full: %s', async (fullAction) => {
    const inner = new SlowConsumer();
    inner.auto = false;
    const consumer = await buffered(inner, { fullAction }, 400);
    await consumer.start();
    const texts = Array.from({ length: 12 }, (_, i) => `message ${i}`);
    const submitted = hand(consumer, batch(...texts)).then(
      () => 'taken',
      () => 'refused',
    );
    await expect.poll(() => inner.waiting.length).toBe(1);
    if (fullAction === 'block') {
      const waits = await Promise.race([submitted, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]);
      expect(waits).toBe('waits');
    } else expect(await submitted).toBe({ shutdown: 'refused', drop: 'taken' }[fullAction]);
    expect(full).toEqual(fullAction === 'shutdown' ? [expect.stringMatching(/^its buffer is full: \d+ bytes wait$/)] : []);
    inner.auto = true;
    inner.waiting[0]?.resolve();
    await submitted;
    await expect.poll(() => consumer.backlog).toBe(0);
    if (fullAction === 'block') expect(inner.all).toEqual(texts);
    else expect(inner.all).toEqual(texts.slice(0, inner.all.length));
    expect(problems.join()).toMatch(fullAction === 'drop' ? /^its buffer is full: \d+ bytes wait; \d+ messages are lost$/ : /^$/);
    await consumer.stop();
  });

  it.each(['shutdown', 'drop', 'block'] as const)(
    'whose disk fails is tried again, and each message comes once: %s',
    async (fullAction) => {
      const inner = new SlowConsumer();
      const append = DiskQueue.prototype.append;
      vi.spyOn(DiskQueue.prototype, 'append').mockImplementationOnce(async function (this: DiskQueue, records, onAppended) {
        await append.call(this, records.slice(0, 2), onAppended);
        throw new Error('ENOSPC');
      });
      const consumer = await buffered(inner, { fullAction });
      await consumer.start();
      const submitted = hand(consumer, batch('a', 'b', 'c')).then(
        () => 'taken',
        () => 'refused',
      );
      expect(await submitted).toBe(fullAction === 'shutdown' ? 'refused' : 'taken');
      await expect.poll(() => consumer.backlog).toBe(0);
      expect(inner.all).toEqual(fullAction === 'block' ? ['a', 'b', 'c'] : ['a', 'b']);
      await consumer.stop();
      const text = `its buffer in ${folder} cannot be written (ENOSPC)`;
      expect(full).toEqual(fullAction === 'shutdown' ? [text] : []);
      expect(problems).toEqual(
        { shutdown: [], drop: [`${text}; 1 messages are lost`], block: [`${text}; it is tried again`, 'its buffer can be written again'] }[
          fullAction
        ],
      );
    },
  );

  it.each(['shutdown', 'drop', 'block'] as const)('that cannot be brought to the disk at once ends no input: %s', async (fullAction) => {
    const inner = new SlowConsumer();
    vi.spyOn(DiskQueue.prototype, 'sync').mockRejectedValueOnce(new Error('EIO'));
    const consumer = await buffered(inner, { fullAction });
    await consumer.start();
    const submitted = hand(consumer, batch('a')).then(
      () => 'taken',
      () => 'refused',
    );
    expect(await submitted).toBe(fullAction === 'shutdown' ? 'refused' : 'taken');
    await expect.poll(() => inner.all).toEqual(['a']);
    await consumer.stop();
    const text = `its buffer in ${folder} cannot be written (EIO)`;
    expect(full).toEqual(fullAction === 'shutdown' ? [text] : []);
    const block = [`${text}; it is tried again`, 'its buffer can be written again'];
    expect(problems).toEqual({ shutdown: [], drop: block.slice(0, 1), block }[fullAction]);
  });

  it('that is nearly full says so in reports, with what waits and what was dropped', async () => {
    const inner = new SlowConsumer();
    inner.auto = false;
    const consumer = await buffered(inner, { fullAction: 'drop' }, 300);
    const count = (value: number) => ({ value, representation: 'count' });
    expect((await consumer.report(1)).fields).toMatchObject({
      QueueSize: { value: 0 },
      QueueAge: { value: 0 },
      DropMessageCount: count(0),
    });
    await consumer.start();
    await hand(consumer, batch('x'.repeat(240)));
    await hand(consumer, batch('b', 'c', 'y'.repeat(500)));
    const { fields } = await consumer.report(1);
    expect(fields).toMatchObject({ QueueLimit: { value: 300, representation: 'B' }, DropMessageCount: count(3) });
    expect(fields.Problem?.value).toBe(`its buffer is nearly full: ${fields.QueueSize?.value} bytes wait`);
    expect(fields.QueueAge).toEqual({ value: expect.any(Number) as number, representation: 'ns' });
    inner.closing();
    await consumer.stop();
  });

  it('gives up waiting for room when the service stops', async () => {
    const inner = new SlowConsumer();
    inner.auto = false;
    const consumer = await buffered(inner, { fullAction: 'block' }, 200);
    await consumer.start();
    const submitted = hand(consumer, batch(...Array.from({ length: 9 }, (_, i) => `message ${i}`)));
    submitted.catch(() => undefined);
    await expect.poll(() => inner.waiting.length).toBe(1);
    consumer.closing();
    await expect(submitted).rejects.toThrow('the service stops');
    await consumer.stop();
  });

  it('waits at the start while it is nearly full, and refuses to start then', async () => {
    const first = new SlowConsumer();
    first.auto = false;
    const before = await buffered(first, { fullAction: 'drop' }, 300);
    await before.start();
    await hand(before, batch('x'.repeat(240)));
    await before.stop();
    const second = new SlowConsumer();
    second.auto = false;
    const after = await buffered(second, {}, 300);
    await expect(after.start()).rejects.toThrow('nearly full');
    await after.stop();
    const third = new SlowConsumer();
    const startWaits = (): Backoff => new Backoff({ delay: 1, max_delay: 1, max_jitter: 0, max_retries: -1 });
    const last = await buffered(third, { startWaits }, 300);
    await last.start();
    await expect.poll(() => third.all).toHaveLength(1);
    await last.stop();
  });

  it('loses a message that is larger than the buffer, and says so', async () => {
    const inner = new SlowConsumer();
    const consumer = await buffered(inner, { fullAction: 'block' }, 200);
    await consumer.start();
    await hand(consumer, batch('a', 'x'.repeat(500), 'b'));
    await expect.poll(() => inner.all).toEqual(['a', 'b']);
    expect(problems).toEqual(['1 messages are too large for its buffer and are lost']);
    await consumer.stop();
  });
});

it('a plugin without a buffer that had one is told what is left there', async () => {
  const buffering = { max_file_size: 0, max_buffer_size: 0, full_action: 'block' as const, cursor_update_count: 1 };
  const more = {
    baseFolder: folder,
    startRetries: 0,
    onProblem: (text: string) => problems.push(text),
    onFull: (text: string) => full.push(text),
  };
  const first = await openBuffering({ name: 'a.b', use_buffering: true, buffering }, more);
  await first?.queue.append([encodeRecord(Buffer.from('x'), { loop: 0, injected: false })]);
  await first?.queue.close();
  expect(await openBuffering({ name: 'a.b', use_buffering: false, buffering }, more)).toBeUndefined();
  expect(problems).toEqual([
    expect.stringMatching(/^\d+ bytes of messages wait in .*output_queue.a_b: they are delivered when use_buffering is true$/),
  ]);
  expect(await openBuffering({ name: 'other', use_buffering: false, buffering }, more)).toBeUndefined();
  expect(problems).toHaveLength(1);
});
