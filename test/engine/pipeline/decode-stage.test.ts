import { NO_RESULT } from '../../../engine/sandbox/contract/types.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputBatch } from '../../../engine/inputs/types.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { DecodeStage, type DecodedRecords } from '../../../engine/pipeline/decode-stage.ts';
import { withoutRefused } from '../../../engine/pipeline/decoded.ts';
import { textAt } from '../../../engine/message/batch/batch.ts';
import { nowNs } from '../../../engine/message/timestamp.ts';
import { FakeSandbox, message, payloads, type Process } from './fakes.ts';

/** `x2` becomes two messages, `x0` none, `bad…` fails, all others become upper case. */
const script: Process = ({ payload = '' }) => {
  if (payload.startsWith('bad')) return `no ${payload}`;
  if (payload === 'die') return 'die';
  const copies = payload.endsWith('2') ? 2 : payload.endsWith('0') ? 0 : 1;
  return Array.from({ length: copies }, (_, i) => message(`${payload.toUpperCase()}${copies > 1 ? i : ''}`));
};

const SECOND = 1_000_000_000n;

interface Taken {
  readonly records: DecodedRecords;
  deliver(): void;
}

function setUp(options: { autoDeliver?: boolean; inFlight?: number; decoder?: FakeSandbox | null; accept?: () => void } = {}) {
  const taken: Taken[] = [];
  const acknowledged: string[] = [];
  const ends: string[] = [];
  const stage = new DecodeStage({
    decoder: options.decoder === undefined ? new FakeSandbox('d', { process: script }) : options.decoder,
    ...(options.inFlight === undefined ? {} : { inFlight: options.inFlight }),
    onTerminated: ({ reason }) => ends.push(reason),
    sink: {
      accept: async (records) => {
        options.accept?.();
        const { promise, resolve } = Promise.withResolvers<void>();
        taken.push({ records, deliver: resolve });
        if (options.autoDeliver !== false) resolve();
        return { delivered: promise };
      },
    },
  });
  const send = (...texts: string[]): Promise<void> => {
    const batch: InputBatch = {
      batch: batchOf(texts.map((text) => message(text))),
      firstLine: 1,
      acknowledge: () => acknowledged.push(texts[0] ?? ''),
    };
    return stage.deliver(batch);
  };
  const shown = (): string[] =>
    taken.flatMap(({ records }) =>
      payloads(records.batch).map((payload, row) => {
        const failure = records.failures.find((other) => other.row === row);
        return `${payload}<${textAt(records.raw, row)}${failure ? `!${failure.reason}` : ''}`;
      }),
    );
  return { stage, send, taken, acknowledged, ends, shown };
}

describe('DecodeStage', () => {
  it('keeps the order of records, decoded or refused, beside what was read', async () => {
    const { stage, send, shown, taken } = setUp();
    await send('bad1', 'a', 'b2', 'c0', 'bad2', 'd');
    await send('bad3', 'bad4');
    await send('e');
    await stage.drained();
    expect(shown()).toEqual([
      'bad1<bad1!no bad1',
      'A<a',
      'B20<b2',
      'B21<b2',
      'bad2<bad2!no bad2',
      'D<d',
      'bad3<bad3!no bad3',
      'bad4<bad4!no bad4',
      'E<e',
    ]);
    const first = taken[0]?.records;
    expect(first?.batch.message(4).fields.map(({ name, values }) => [name, values[0]])).toEqual([
      ['decode_failure', true],
      ['decode_error', 'no bad2'],
    ]);
    expect(first && payloads(first.decoded)).toEqual(['A', 'B20', 'B21', 'D']);
  });

  it('gives the same however the records are cut into batches', async () => {
    const record = fc.constantFrom('a', 'b2', 'c0', 'bad', 'd');
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 20 }), async (records, size) => {
        const whole = setUp();
        await whole.send(...records);
        await whole.stage.drained();
        const cut = setUp();
        for (let at = 0; at < records.length; at += size) await cut.send(...records.slice(at, at + size));
        await cut.stage.drained();
        expect(cut.shown()).toEqual(whole.shown());
      }),
    );
  });

  it('acknowledges in order, and only what was delivered', async () => {
    const { send, taken, acknowledged, stage } = setUp({ autoDeliver: false });
    for (const text of ['a', 'b', 'c']) await send(text);
    await expect.poll(() => taken.length).toBe(3);
    taken[1]?.deliver();
    taken[2]?.deliver();
    await new Promise((resolve) => setImmediate(resolve));
    expect(acknowledged).toEqual([]);
    taken[0]?.deliver();
    await stage.drained();
    expect(acknowledged).toEqual(['a', 'b', 'c']);
  });

  it('lets the input wait while enough is under way', async () => {
    const { send, taken } = setUp({ autoDeliver: false, inFlight: 2 });
    await send('a');
    await send('b');
    let third = false;
    const waiting = send('c').then(() => (third = true));
    await expect.poll(() => taken.length).toBe(2);
    expect(third).toBe(false);
    taken[0]?.deliver();
    await waiting;
    expect(third).toBe(true);
  });

  it('lets the input go on when a batch is taken, and acknowledges it when it is delivered', async () => {
    const acknowledged: number[] = [];
    const delivered: (() => void)[] = [];
    const stage = new DecodeStage({
      decoder: null,
      inFlight: 2,
      sink: {
        accept: async () => {
          const { promise, resolve } = Promise.withResolvers<void>();
          delivered.push(resolve);
          return { taken: Promise.resolve(), delivered: promise };
        },
      },
    });
    for (let i = 0; i < 6; i++)
      await stage.deliver({ batch: batchOf([message('a')]), firstLine: 1, acknowledge: () => acknowledged.push(i) });
    await stage.passed();
    expect([stage.queued, acknowledged]).toEqual([0, []]);
    for (const deliver of delivered.toReversed()) deliver();
    await stage.drained();
    expect(acknowledged).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('passes the records on that its decoder does not decode any more, each of them once', async () => {
    const decoder = new FakeSandbox('d', { process: script });
    const { stage, send, taken, ends } = setUp({ decoder });
    // All of them are under way when it ends.
    await Promise.all([send('a', 'bad1', 'b2'), send('bad2', 'c', 'die', 'd', 'bad3'), send('e', 'bad4'), send('f')]);
    await stage.drained();
    await send('g');
    await stage.drained();
    expect(ends).toEqual(['died']);
    expect(taken.map(({ records }) => records.undecoded)).toEqual([0, 3, 2, 1, 1]);
    const routed = taken.flatMap(({ records }) => payloads(withoutRefused(records)));
    expect(routed).toEqual(['A', 'B20', 'B21', 'C', 'die', 'd', 'bad3', 'e', 'bad4', 'f', 'g']);
    const marked = taken.flatMap(({ records }) => payloads(records.batch)).filter((text) => !routed.includes(text));
    expect(marked).toEqual(['bad1', 'bad2']);
    const last = withoutRefused(taken.at(-1)?.records as DecodedRecords).message(0);
    expect(last.fields.map(({ name, values }) => [name, values[0]])).toEqual([
      ['decode_failure', true],
      ['decode_error', 'the decoder has ended: died'],
    ]);
  });

  it('passes a whole batch on when it is not known how far its decoder came', async () => {
    const decoder = new FakeSandbox('d', { process: script });
    decoder.process = async (batch) => ({ ...NO_RESULT, injected: batch, terminated: { code: 'host.crashed', reason: 'died', row: -1 } });
    const { stage, send, taken } = setUp({ decoder });
    await send('a', 'b');
    await stage.drained();
    expect(taken.flatMap(({ records }) => payloads(withoutRefused(records)))).toEqual(['a', 'b']);
  });

  it('passes records as they are without a decoder', async () => {
    const { stage, send, taken } = setUp({ decoder: null });
    await send('a', 'b');
    await stage.drained();
    expect(taken[0]?.records).toMatchObject({ raw: null, failures: [] });
    expect(taken[0] && payloads(taken[0].records.batch)).toEqual(['a', 'b']);
  });

  it.each([
    ['an old file', 3600n, ['t', 5, 't', 't'], [5n, 5n, 5n, 5n]],
    ['an old file in which nothing has a time', 3600n, ['t', 't'], [null, null]],
    ['no file', null, ['t', 5, 't'], ['now', 5n, 'now']],
  ] as const)('gives messages without a time that of their neighbours: %s', async (_, age, rows, expected) => {
    const writtenNs = nowNs() - (age ?? 1n) * SECOND;
    const process: Process = ({ payload = '' }) => [
      { ...message(payload), timestamp: payload === 't' ? nowNs() : BigInt(payload) * SECOND },
    ];
    const taken: DecodedRecords[] = [];
    const stage = new DecodeStage({
      decoder: new FakeSandbox('d', { process }),
      inheritTimes: true,
      sink: {
        accept: (records) => {
          taken.push(records);
          return Promise.resolve({ delivered: Promise.resolve() });
        },
      },
    });
    await stage.deliver({
      batch: batchOf(rows.map((row) => ({ ...message(String(row)), timestamp: nowNs() }))),
      firstLine: 1,
      ...(age === null ? {} : { writtenNs }),
      acknowledge: () => undefined,
    });
    await stage.drained();
    const shown = [...(taken[0]?.batch.timestamps ?? [])].map((ns) => (ns === writtenNs ? null : ns > writtenNs ? 'now' : ns / SECOND));
    expect(shown).toEqual(expected);
    expect(taken[0]?.decoded.timestamps).toEqual(taken[0]?.batch.timestamps);
  });

  it('refuses everything after the decoder has ended, and says so once', async () => {
    const { stage, send, shown, ends, acknowledged } = setUp();
    await send('a', 'die', 'b');
    await send('c');
    await stage.drained();
    await send('d');
    await stage.drained();
    const ended = (text: string) => `${text}<${text}!the decoder has ended: died`;
    expect(shown()).toEqual(['A<a', ended('die'), ended('b'), ended('c'), ended('d')]);
    expect(ends).toEqual(['died']);
    expect(acknowledged).toEqual(['a', 'c', 'd']);
  });

  it('goes on with the other decoders when one of several has ended', async () => {
    const both = { a: new FakeSandbox('a', { process: () => 'die' }), b: new FakeSandbox('b', { process: script }) };
    const taken: string[][] = [];
    const ends: string[] = [];
    const stage = new DecodeStage({
      decoder: null,
      decoderOf: ({ fileKind }) => both[fileKind as keyof typeof both],
      sink: {
        accept: ({ batch, undecoded }) => {
          taken.push([...payloads(batch), String(undecoded)]);
          return Promise.resolve({ delivered: Promise.resolve() });
        },
      },
      onTerminated: ({ reason }, { spec }) => void ends.push(`${spec.name}: ${reason}`),
    });
    for (const fileKind of ['a', 'b', 'a', 'b']) {
      await stage.deliver({ batch: batchOf([message('x')]), firstLine: 1, fileKind, acknowledge: () => undefined });
    }
    await stage.drained();
    expect(taken).toEqual([
      ['x', '1'],
      ['X', '0'],
      ['x', '1'],
      ['X', '0'],
    ]);
    expect(ends).toEqual(['a: died']);
  });

  it('acknowledges nothing after the sink failed', async () => {
    let count = 0;
    const fail = (): void => {
      if (++count === 2) throw new Error('disk full');
    };
    const { stage, send, acknowledged } = setUp({ accept: fail });
    await send('a');
    await stage.drained();
    await send('b');
    await send('c').catch(() => undefined);
    await expect(stage.drained()).rejects.toThrow('disk full');
    await expect(send('d')).rejects.toThrow('disk full');
    expect(acknowledged).toEqual(['a']);
  });
});
