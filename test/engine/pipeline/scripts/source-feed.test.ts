import { describe, expect, test } from 'vitest';
import { joinTexts } from '../../../../engine/inputs/text.ts';
import { recordBatch } from '../../../../engine/inputs/pieces.ts';
import type { Input, InputBatch, InputSink, InputStats } from '../../../../engine/inputs/types.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { SourceFeed, type SourceFeedOptions } from '../../../../engine/pipeline/scripts/source-feed.ts';
import type { ReadAnswer, ReadRequest } from '../../../../engine/sandbox/contract/types.ts';
import { message, payloads } from '../fakes.ts';

const HEADERS = { type: 't', logger: 'l', hostname: null };

/** An input that the test drives. */
class Driven implements Input {
  readonly name = 'in';
  readonly told: string[] = [];
  sink: InputSink | null = null;
  stops = 0;
  async start(sink: InputSink): Promise<void> {
    this.sink = sink;
  }
  async stop(): Promise<void> {
    this.stops++;
  }
  stats(): InputStats {
    return { bytes: 0, records: 0, dropped: 0, totalBytes: 0 };
  }
  /** Brings a piece of a stream, one character a byte, or records. */
  bring(texts: string | readonly string[], stream?: object): Promise<void> {
    const list = typeof texts === 'string' ? [texts] : texts;
    const batch: InputBatch = {
      batch: recordBatch(joinTexts(list), HEADERS),
      firstLine: 0,
      source: 'a.log',
      ...(stream === undefined ? {} : { stream }),
      acknowledge: () => void this.told.push(`all of ${list.join()}`),
      acknowledgeTo: (bytes) => void this.told.push(`${bytes} of ${list.join()}`),
    };
    return this.sink?.deliver(batch) ?? Promise.resolve();
  }
}

async function setUp(more: Partial<SourceFeedOptions> = {}) {
  const input = new Driven();
  const feed = new SourceFeed({ input, form: 'chunks', keepsState: false, remembers: true, endsWhenIdle: false, now: () => 0, ...more });
  const seen: string[] = [];
  const through: (() => void)[] = [];
  let idles = 0;
  await feed.start(
    { notice: () => undefined },
    async (batch, done) => {
      seen.push(...payloads(batch));
      through.push(done);
    },
    () => idles++,
  );
  const states: string[] = [];
  const read = (rest = 0, request: Partial<ReadRequest> = {}): Promise<ReadAnswer> =>
    feed.read({ form: 'text', rest, saved: true, persist: async () => void states.push('written'), ...request });
  const make = (payload: string): Promise<void> => feed.take(batchOf([message(payload)]));
  return { input, feed, seen, through, read, make, states, idles: () => idles };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const STREAM = {};

describe('what a script reads', () => {
  test('is told to be done with when what was made of it has been through, in order', async () => {
    const { input, seen, through, read, make } = await setUp();
    void input.bring('a', STREAM);
    void input.bring('b', STREAM);
    expect(await read()).toMatchObject({ kind: 'text', text: 'a' });
    await make('of a');
    expect(seen).toEqual([]);
    expect(await read()).toMatchObject({ text: 'b' });
    expect([seen, input.told]).toEqual([['of a'], []]);
    await make('of b');
    void read();
    await settled();
    through[1]?.();
    expect([seen, input.told]).toEqual([['of a', 'of b'], []]);
    through[0]?.();
    expect(input.told).toEqual(['all of a', 'all of b']);
  });

  test('comes again as far as it was given back, in front of what follows', async () => {
    const { input, read } = await setUp();
    void input.bring('a\nbc', STREAM);
    expect(await read()).toMatchObject({ text: 'a\nbc' });
    void input.bring('d\ne', STREAM);
    expect(await read(2)).toMatchObject({ text: 'bcd\ne' });
    expect(input.told).toEqual(['2 of a\nbc']);
    void input.bring('f', STREAM);
    expect(await read(1)).toMatchObject({ text: 'ef' });
    expect(input.told).toEqual(['2 of a\nbc', 'all of a\nbc', '2 of d\ne']);
    void input.bring('g', STREAM);
    expect(await read(2)).toMatchObject({ text: 'efg' });
    expect(input.told.slice(3)).toEqual(['2 of d\ne']);
    void read();
    await settled();
    expect(input.told.slice(4)).toEqual(['all of d\ne', 'all of f', 'all of g']);
  });

  test('keeps streams apart, and brings what is left of one that has ended', async () => {
    const { input, read } = await setUp();
    const [one, other] = [{}, {}];
    void input.bring('1', one);
    expect(await read()).toMatchObject({ text: '1', ended: false });
    void input.bring('2', other);
    expect(await read(1)).toMatchObject({ text: '2' });
    input.sink?.ended?.(one);
    expect(await read(1)).toMatchObject({ text: '1', ended: true });
    void input.bring('3', other);
    expect(await read()).toMatchObject({ text: '23', ended: false });
  });

  test('is whole characters when it is text, and every byte when it is not', async () => {
    const { input, read } = await setUp();
    void input.bring('a\xc3', STREAM);
    void input.bring('\xa4\xff', STREAM);
    expect(await read()).toMatchObject({ text: 'a' });
    expect(await read()).toMatchObject({ text: 'ä\ufffd' });
    void input.bring('\xc3', STREAM);
    expect(await read(1, { form: 'bytes' })).toMatchObject({ kind: 'bytes', bytes: Buffer.from([0xff, 0xc3]) });
  });

  test('is records where they are wanted', async () => {
    const { input, read } = await setUp({ form: 'records' });
    void input.bring(['a', '', 'ü']);
    expect(await read()).toEqual({ kind: 'records', text: 'aü', ends: Uint32Array.of(1, 1, 2), name: 'a.log' });
    expect(input.told).toEqual([]);
    void read();
    await settled();
    expect(input.told).toEqual(['all of a,,ü']);
  });

  test('waits while the script does not take it', async () => {
    const { input, read } = await setUp();
    let taken = 0;
    for (let i = 0; i < 8; i++) void input.bring(`${i}`, STREAM).then(() => taken++);
    await settled();
    expect(taken).toBe(4);
    for (let i = 0; i < 4; i++) await read();
    await settled();
    expect(taken).toBe(8);
  });
});

describe('the end of what there is', () => {
  test('is told after what is left of the last piece', async () => {
    const { input, read } = await setUp({ endsWhenIdle: true });
    void input.bring('a', STREAM);
    input.sink?.idle();
    expect(await read()).toMatchObject({ text: 'a', ended: false });
    expect(await read(1)).toMatchObject({ text: 'a', ended: true });
    expect(input.told).toEqual([]);
    expect(await read(1)).toEqual({ kind: 'end' });
    expect(input.told).toEqual(['all of a']);
  });

  test('for now is told to the pipeline when the script waits', async () => {
    const { input, read, idles } = await setUp();
    void input.bring('a', STREAM);
    input.sink?.idle();
    expect(idles()).toBe(0);
    await read();
    void read();
    await settled();
    expect(idles()).toBe(1);
  });
});

describe('a script that begins anew', () => {
  test('gets all again that it was at work on, and what it had made of it is gone', async () => {
    const { input, feed, seen, read, make } = await setUp();
    void input.bring('a\nb', STREAM);
    await read();
    await make('of a');
    void input.bring('c\nd', STREAM);
    expect(await read(1)).toMatchObject({ text: 'bc\nd' });
    await make('half of bc');
    feed.rewind();
    expect(await read()).toMatchObject({ text: 'bc\nd' });
    await make('of bc');
    void read(1);
    await settled();
    expect([seen, input.told]).toEqual([['of a', 'of bc'], []]);
  });

  test('goes back to where its state was known', async () => {
    const { input, feed, seen, read, make } = await setUp();
    for (const text of ['a', 'b', 'c', 'd']) void input.bring(text, STREAM);
    await read();
    await make('of a');
    expect(await read(0, { saved: false })).toMatchObject({ text: 'b' });
    await make('of b');
    expect(await read(1, { saved: false })).toMatchObject({ text: 'bc' });
    expect([seen, input.told]).toEqual([[], []]);
    feed.rewind();
    expect(await read()).toMatchObject({ text: 'a' });
    expect(await read()).toMatchObject({ text: 'b' });
  });

  test('while it waits: nobody else takes what comes', async () => {
    const { input, feed, read } = await setUp();
    const old = read();
    feed.rewind();
    expect(await old).toEqual({ kind: 'stop' });
    void input.bring('a', STREAM);
    expect(await read()).toMatchObject({ text: 'a' });
  });
});

describe('state', () => {
  test('is asked for before a script waits', async () => {
    const { input, seen, read, make } = await setUp();
    void input.bring('a', STREAM);
    await read();
    await make('of a');
    expect(await read(0, { saved: false })).toEqual({ kind: 'save' });
    void read();
    await settled();
    expect(seen).toEqual(['of a']);
  });

  test('that is kept is written before the source is told', async () => {
    let now = 0;
    const { input, feed, read, through, make, states } = await setUp({ keepsState: true, now: () => now });
    void input.bring('a', STREAM);
    await read();
    await make('of a');
    void input.bring('b', STREAM);
    await read();
    through[0]?.();
    expect([input.told, states]).toEqual([[], []]);
    now = 2000;
    const next = read();
    await settled();
    expect([input.told, states]).toEqual([['all of a', 'all of b'], ['written']]);
    await feed.close();
    expect(await next).toEqual({ kind: 'stop' });
  });
});

describe('a service that stops', () => {
  test('stops a script that waits at once, and leaves the rest to the source', async () => {
    const { input, feed, read } = await setUp();
    void input.bring('a', STREAM);
    await read();
    void input.bring('b', STREAM);
    const closed = feed.close();
    expect(await read()).toEqual({ kind: 'stop' });
    await closed;
    await feed.stop();
    expect([input.told, input.stops]).toEqual([['all of a'], 1]);
  });

  test('lets it read first what the source cannot bring again', async () => {
    const { input, feed, read } = await setUp({ remembers: false });
    for (const text of ['a', 'b']) void input.bring(text, STREAM);
    await read();
    await feed.close();
    expect(input.stops).toBe(1);
    expect(await read()).toMatchObject({ text: 'b' });
    expect(await read()).toEqual({ kind: 'stop' });
    await feed.stop();
    expect(input.told).toEqual(['all of a', 'all of b']);
  });
});
