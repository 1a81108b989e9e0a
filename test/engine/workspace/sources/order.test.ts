import { createSocket } from 'node:dgram';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';
import { freePort } from '../../../ports.ts';
import { until } from '../../../until.ts';

let engine: Engine;

beforeEach(() => {
  engine = new Engine(undefined, startSandboxes());
});
afterEach(async () => {
  await engine.stop();
});

const day = (date: number, count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const clock = `${String(Math.floor(i / 60) % 24).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}:00`;
    return `192.0.2.7 - - [0${date}/Nov/2026:${clock} +0000] "GET /${date}/${i} HTTP/1.1" 200 12 "-" "curl/8.4.0"\n`;
  }).join('');

it('shows the files of a pattern in order of time, whatever their names and ages', async () => {
  engine.file('access.log', day(3, 300));
  engine.file('access.log.1', day(2, 300));
  engine.file('access.log.2.gz', gzipSync(day(1, 300)));
  // As after a copy of the folder: the newest log is the oldest file.
  for (const [i, name] of ['access.log', 'access.log.1', 'access.log.2.gz'].entries())
    utimesSync(join(engine.folder, name), 1000 + i, 1000 + i);
  const id = await engine.open(join(engine.folder, 'access.log*'));
  await engine.settled(id);
  await until(async () => (await engine.source(id))?.records === 900);
  const { rows } = await engine.rows();
  const times = rows.map(({ time }) => time);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(rows.map(({ text }) => /\/(\d)\/\d+ /.exec(text)?.[1]).join('')).toBe('1'.repeat(300) + '2'.repeat(300) + '3'.repeat(300));
});

it('shows received records in order of their times', async () => {
  const port = await freePort();
  const { id } = await engine.ask('source.listen', { protocol: 'udp', host: '127.0.0.1', port });
  await until(async () => (await engine.source(id))?.state === 'listening');
  const socket = createSocket('udp4');
  const send = (ms: string): Promise<void> =>
    new Promise((sent) => socket.send(`<13>1 2026-11-22T12:00:00.${ms}Z host app - - - at ${ms}`, port, '127.0.0.1', () => sent()));
  for (const ms of ['444', '000', '445', '001']) await send(ms);
  await until(async () => (await engine.rows()).rows.length === 4);
  expect((await engine.rows()).rows.map(({ text }) => text)).toEqual(['at 000', 'at 001', 'at 444', 'at 445']);
  socket.close();
});
