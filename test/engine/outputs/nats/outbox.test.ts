import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Outbox, withNewId } from '../../../../engine/outputs/nats/outbox.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-outbox-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('gives the next run what this one left', async () => {
  const { outbox, left } = await Outbox.open(join(folder, 'new'));
  expect(left).toEqual({ mark: null, batches: [] });
  const content = { mark: 'm', batches: [{ subject: 's', id: 'i', sequence: 3, body: Buffer.from([0, 255]) }] };
  await outbox.write(content);
  expect((await Outbox.open(join(folder, 'new'))).left).toEqual(content);
  await outbox.write({ mark: 'n', batches: [] });
  expect((await Outbox.open(join(folder, 'new'))).left).toEqual({ mark: 'n', batches: [] });
  expect(readdirSync(join(folder, 'new'))).toEqual(['published']);
});

it.each(['', '{', '{"mark":3,"batches":[]}', '{"mark":"m","batches":[{"subject":"s","id":"i","sequence":1,"body":"$$"}]}'])(
  'takes nothing from what it cannot understand: %s',
  async (text) => {
    writeFileSync(join(folder, 'published'), text);
    expect((await Outbox.open(folder)).left).toEqual({ mark: null, batches: [] });
  },
);

it.each([
  ['edge/out/1f/7', 'edge/out/1f/7~1'],
  ['edge/out/1f/7~1', 'edge/out/1f/7~2'],
  ['edge/out/1f/7.0~9', 'edge/out/1f/7.0~10'],
  ['a~b/out/1f/7', 'a~b/out/1f/7~1'],
])('gives the batch %s the id %s', (id, newer) => {
  const batch = { subject: 's', sequence: 3, body: Buffer.alloc(1) };
  expect(withNewId({ ...batch, id })).toEqual({ ...batch, id: newer });
});
