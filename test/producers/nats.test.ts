/** Batches through a real server of NATS. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../engine/message/batch/builder.ts';
import type { FleetStream } from '../../engine/api/fleet-types.ts';
import { fleetOf } from '../../engine/nats/fleet.ts';
import type { Receipt } from '../../engine/outputs/writers.ts';
import { sluicebox } from '../engine/cli/run-cli.ts';
import { until } from '../until.ts';
import { message, natsBench, NO_RECEIPT, noise, pieces } from './support/nats-bench.ts';

const { cleanups, stream, stored, output, input, unacknowledged, questions, connection, manager, address } = natsBench();

describe('batches through a stream', () => {
  it('come out as they went in, and stay until everything downstream has them', async () => {
    const name = await stream();
    const { writer } = await output(name);
    const sent = [message('one'), message('two', { severity: 3, pid: 7 })];
    await writer.write(pieces(...sent));
    expect(await stored(name)).toBe(1);
    expect(writer.figures).toMatchObject({ SentBatchCount: 1, RepeatedBatchCount: 0, DropMessageCount: 0 });
    const { sink } = await input(name);
    sink.acknowledges = false;
    await until(() => sink.batches.length === 1);
    const batch = sink.batches[0]?.batch;
    expect([batch?.message(0), batch?.message(1)]).toEqual(sent);
    expect(sink.batches[0]?.source).toBe(`a batch of ${name}.web1.nginx_access from edge1`);
    expect(await unacknowledged(name)).toBe(1);
    sink.batches[0]?.acknowledge();
    await until(async () => (await unacknowledged(name)) === 0);
  });

  it('hold what comes within a time, up to so many messages, each subject by itself and in order', async () => {
    const name = await stream();
    const { writer } = await output(name, { flushInterval: 20, batchMessages: 100 });
    const send = (from: number, count: number): Promise<void>[] =>
      Array.from({ length: count }, (_, i) => {
        const sent = message(String(from + i), { type: (from + i) % 2 === 0 ? 'even' : 'odd' });
        return writer.writeEncoded(batchOf([sent]), null, pieces(sent));
      });
    await Promise.all(send(0, 30));
    expect([await stored(name), writer.figures['SentBatchCount']]).toEqual([2, 2]);
    await Promise.all(send(30, 250));
    expect(await stored(name)).toBeLessThanOrEqual(2 + 6);
    const { sink } = await input(name);
    await until(() => sink.payloads.length === 280);
    for (const rest of [0, 1]) {
      const own = sink.payloads.map(Number).filter((number) => number % 2 === rest);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
  });

  it('that are there together are delivered and acknowledged together', async () => {
    const name = await stream();
    const { writer } = await output(name);
    for (let i = 0; i < 40; i++) await writer.write(pieces(message(String(i))));
    const { sink } = await input(name, { batchMessages: 30 });
    sink.acknowledges = false;
    await until(() => sink.payloads.length === 40);
    expect(sink.payloads.map(Number)).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(sink.batches.map(({ batch }) => batch.length)).toEqual([30, 10]);
    expect(sink.batches[0]?.source).toBe(`30 batches, of which one is a batch of ${name}.web1.nginx_access from edge1`);
    expect(await unacknowledged(name)).toBe(40);
    sink.batches[0]?.acknowledge();
    await until(async () => (await unacknowledged(name)) === 10);
    sink.batches[1]?.acknowledge();
    await until(async () => (await unacknowledged(name)) === 0);
  });

  it('that are not acknowledged hold up others, and then the outputs are told to hurry', async () => {
    const name = await stream();
    const { writer } = await output(name);
    for (let i = 0; i < 8; i++) await writer.write(pieces(message(String(i))));
    const { sink } = await input(name, { maxAckPending: 5 });
    sink.acknowledges = false;
    sink.hurry = () => sink.batches.splice(0).forEach((batch) => batch.acknowledge());
    await until(() => sink.payloads.length === 8);
    await until(async () => (await unacknowledged(name)) === 0);
    expect(new Set(sink.payloads).size).toBe(8);
  });

  it('have subjects by their headers', async () => {
    const name = await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('a'), message('b', { hostname: 'db 2.lan' }), message('c', { type: '*>' }), message('d')));
    const info = await manager().streams.info(name, { subjects_filter: '>' });
    expect(Object.keys(info.state.subjects ?? {}).sort()).toEqual([
      `${name}.db_2_lan.nginx_access`,
      `${name}.web1.__`,
      `${name}.web1.nginx_access`,
    ]);
  });

  it('are shared by the inputs of one consumer, and each is taken once', async () => {
    const name = await stream();
    const { writer } = await output(name);
    const [one, other] = [await input(name), await input(name)];
    for (let i = 0; i < 50; i++) await writer.write(pieces(message(String(i))));
    await until(() => one.sink.payloads.length + other.sink.payloads.length >= 50);
    const all = [...one.sink.payloads, ...other.sink.payloads].map(Number).sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('go on where the last input stopped', async () => {
    const name = await stream();
    const { writer } = await output(name);
    const first = await input(name);
    await writer.write(pieces(message('a')));
    await until(() => first.sink.payloads.length === 1);
    await first.input.stop();
    await writer.write(pieces(message('b')));
    const second = await input(name);
    await until(() => second.sink.payloads.length > 0);
    expect(second.sink.payloads).toEqual(['b']);
  });

  it('are not offered to an input that has stopped', async () => {
    const name = await stream();
    const { writer } = await output(name);
    for (let round = 0; round < 20; round++) {
      const { input: stopping } = await input(name);
      await until(async () => (await questions(name)) === 1);
      await stopping.stop();
      expect(await questions(name)).toBe(0);
      await writer.write(pieces(message(String(round))));
      expect(await unacknowledged(name)).toBe(0);
    }
  });

  it('are split to what the server takes, and what it never takes is told', async () => {
    const name = await stream();
    const { writer, said } = await output(name);
    const sent = Array.from({ length: 8 }, () => noise(20_000));
    await writer.write(pieces(...sent.map((text) => message(text)), message(noise(200_000))));
    expect(await stored(name)).toBeGreaterThan(2);
    expect(said).toEqual([expect.stringMatching(/^a message is lost: it takes \d+ bytes, and the server takes \d+$/)]);
    const { sink } = await input(name);
    await until(() => sink.payloads.length === 8);
    expect(sink.payloads).toEqual(sent);
  });

  it('are halved when a stream takes no batch of this size', async () => {
    const name = await stream({ max_msg_size: 8_192 });
    const { writer, said } = await output(name);
    const sent = Array.from({ length: 8 }, () => noise(3_000));
    await writer.write(pieces(...sent.map((text) => message(text)), message(noise(20_000))));
    expect(await stored(name)).toBeGreaterThan(3);
    expect(said).toEqual([expect.stringMatching(/^a message is lost: it takes \d+ bytes, and stream S\d+ takes no message of this size$/)]);
    const { sink } = await input(name);
    await until(() => sink.payloads.length === 8);
    expect(sink.payloads).toEqual(sent);
  });

  it('have names of any kind', async () => {
    const name = await stream();
    const { writer, said } = await output(name, {
      edge: 'Kölner Tür/1 😀'.padEnd(100, 'ü'),
      name: 'a b\r\nc',
      subject: `${name}.{Logger}.{Type}`,
    });
    const odd = ['', ' ', '.', '*', '>', 'a.b c', '\u0000\u007f', 'ü😀\u2028\ufeff', '$JS.API.INFO', 'x'.repeat(99) + '😀', '_INBOX.>'];
    await writer.write(pieces(...odd.map((logger) => message(logger, { logger }))));
    const { sink } = await input(name);
    await until(() => sink.payloads.length === odd.length);
    expect(new Set(sink.payloads)).toEqual(new Set(odd));
    expect(said).toEqual([]);
    const [edge] = (await fleetOf(connection())).find((each) => each.name === name)?.edges ?? [];
    expect(edge?.name).toBe('Kölner Tür/1 😀'.padEnd(100, 'ü'));
  });

  it('come once, when an edge was killed before it knew that the stream had them', async () => {
    const name = await stream();
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-outbox-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const receipt: Receipt = { ...NO_RECEIPT, mark: (count) => `mark ${count}` };
    const first = await output(name, { folder });
    const { writer } = first;
    await writer.write(pieces(message('a')), receipt);
    // As left by a process that was killed before the answer of the stream: the batch in the outbox.
    const info = await manager().streams.getMessage(name, { last_by_subj: `${name}.web1.nginx_access` });
    const id = info?.header.get('Nats-Msg-Id') ?? '';
    const atPublish = JSON.stringify({
      mark: 'mark 1',
      batches: [{ subject: `${name}.web1.nginx_access`, id, sequence: 1, body: Buffer.from(info?.data ?? []).toString('base64') }],
    });
    await writer.close();
    writeFileSync(join(folder, 'published'), atPublish);
    const second = await output(name, { folder });
    expect(second.writer.resumedAt).toBe('mark 1');
    await until(() => second.writer.figures['SentBatchCount'] === 1);
    await second.writer.write(pieces(message('b')), receipt);
    expect(second.writer.figures).toMatchObject({ SentBatchCount: 2, RepeatedBatchCount: 1 });
    expect(await stored(name)).toBe(2);
    expect(JSON.parse(readFileSync(join(folder, 'published'), 'utf8'))).toEqual({ mark: 'mark 1', batches: [] });
  });
});

describe('watching a stream', () => {
  it('takes nothing from those who share its work, and begins where it is told', async () => {
    const name = await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('before')));
    const worker = await input(name);
    await until(() => worker.sink.payloads.length === 1);
    const begun = Date.now();
    const all = await input(name, { durable: '', start: 'begin' });
    const fresh = await input(name, { durable: '', start: 'end' });
    const later = await input(name, { durable: '', start: begun });
    const own = async (): Promise<number> => (await manager().streams.info(name)).state.consumer_count;
    // That of the worker is the fourth.
    await until(async () => (await own()) === 4);
    await writer.write(pieces(message('after')));
    await until(
      () => [worker, all].every(({ sink }) => sink.payloads.length === 2) && [fresh, later].every(({ sink }) => sink.payloads.length === 1),
    );
    expect([worker.sink.payloads, all.sink.payloads]).toEqual([
      ['before', 'after'],
      ['before', 'after'],
    ]);
    expect([fresh.sink.payloads, later.sink.payloads]).toEqual([['after'], ['after']]);
    await until(async () => (await unacknowledged(name)) === 0);
  });

  it('goes on behind what it had when its consumer is gone', async () => {
    const name = await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('a')));
    const { sink } = await input(name, { durable: '' });
    await until(() => sink.payloads.length === 1);
    for await (const { name: consumer } of manager().consumers.list(name)) await manager().consumers.delete(name, consumer);
    await writer.write(pieces(message('b')));
    await until(() => sink.payloads.length === 2);
    expect(sink.payloads).toEqual(['a', 'b']);
  });
});

describe('a durable consumer that is deleted while an input reads', () => {
  it('is made again, and nothing is lost', async () => {
    const name = await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('a')));
    const { sink } = await input(name);
    await until(() => sink.payloads.includes('a'));
    await manager().consumers.delete(name, 'lake');
    await writer.write(pieces(message('b')));
    await until(() => sink.payloads.includes('b'));
    // It has begun anew.
    await until(async () => {
      const { num_pending, num_ack_pending } = await manager().consumers.info(name, 'lake');
      return num_pending + num_ack_pending === 0;
    });
    expect(sink.payloads).toEqual(['a', 'a', 'b']);
    expect(sink.codes).toEqual(['source.away', 'source.back']);
  });
});

describe('a stream that is made anew', () => {
  it('is watched from its beginning', async () => {
    const name = await stream();
    const { writer } = await output(name);
    for (const text of ['a', 'b', 'c']) await writer.write(pieces(message(text)));
    const { sink } = await input(name, { durable: '' });
    await until(() => sink.payloads.length === 3);
    // The server may be at work in the folder of the stream.
    await until(async () => {
      await manager()
        .streams.delete(name)
        .catch((error: unknown) => {
          if (!/not found/.test(String(error))) throw error;
        });
      await manager().streams.add({ name, subjects: [`${name}.>`] });
      return true;
    });
    await writer.write(pieces(message('d')));
    await until(() => sink.payloads.length === 4);
    expect(sink.payloads).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a fleet', () => {
  it('is shown with its streams, readers and edges, and how far they are', async () => {
    const name = await stream();
    const of = async (): Promise<FleetStream | undefined> => (await fleetOf(connection())).find((each) => each.name === name);
    expect(await of()).toMatchObject({ subjects: [`${name}.>`], batches: 0, lastMs: 0, consumers: [], edges: [] });
    const { sink, input: worker } = await input(name);
    await until(async () => ((await of())?.consumers.length ?? 0) > 0);
    await worker.stop();
    const web = await output(name, { edge: 'web1' });
    const db = await output(name, { edge: 'db1' });
    await web.writer.write(pieces(message('a'), message('b', { type: 'other' })));
    await web.writer.write(pieces(message('c')), { ...NO_RECEIPT, waiting: () => 12_345 });
    await db.writer.write(pieces(message('d', { hostname: 'db1' })));
    const fleet = await of();
    expect(fleet).toMatchObject({
      batches: 4,
      consumers: [{ name: 'lake', waiting: 4, unacknowledged: 0, acknowledged: 0 }],
      edges: [
        { name: 'db1', batches: 1, position: 4, waiting: null, subjects: [`${name}.db1.nginx_access`] },
        { name: 'web1', batches: 3, position: 3, waiting: 12_345 },
      ],
    });
    expect(fleet?.edges[1]?.subjects).toHaveLength(2);
    expect(Math.abs((fleet?.edges[0]?.lastMs ?? 0) - Date.now())).toBeLessThan(600_000);
    const status = ['cluster', 'status', '--servers', address(), '--stream', name];
    const fine = await sluicebox(status);
    expect([fine.code, fine.err]).toEqual([0, '']);
    expect(fine.out.split('\n').slice(1)).toEqual([
      '  reader lake: 4 batches wait, 0 are not acknowledged',
      expect.stringMatching(/^ {2}edge db1: live, last batch \d+ s ago$/),
      expect.stringMatching(/^ {2}edge web1: live, last batch \d+ s ago, 12.3 kB wait there$/),
      '',
    ]);
    const late = await sluicebox([...status, '--lag', '3', '--dead', '0', '--json']);
    expect([late.code, late.err]).toEqual([1, expect.stringContaining(`${name}: reader lake is 4 batches behind\n`)]);
    expect(late.lines()[0]).toMatchObject({ streams: [{ edges: [{ name: 'db1', state: 'dead' }, { state: 'dead' }] }] });
    expect(late.lines()[0]?.['problems']).toHaveLength(3);
    const { sink: reader } = await input(name);
    await until(async () => {
      const [consumer] = (await of())?.consumers ?? [];
      return consumer?.waiting === 0 && consumer.unacknowledged === 0 && consumer.acknowledged === 4;
    });
    expect([...sink.payloads, ...reader.payloads].sort()).toEqual(['a', 'b', 'c', 'd']);
    // It leaves no consumer behind.
    expect((await manager().streams.info(name)).state.consumer_count).toBe(1);
  });
});
