import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../../ports.ts';
import { sluicebox } from '../run-cli.ts';

/** With a server: test/producers/nats.test.ts. */

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-cluster-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [[], 'cluster needs status.'],
  [['state'], 'cluster needs status.'],
  [['status', 'a.toml', 'b.toml'], 'cluster status takes one configuration.'],
  [['status', '--servers', 'a:1', 'a.toml'], 'there is no --servers then.'],
  [['status', '--lag', 'many'], '--lag must be a whole number'],
])('sluicebox cluster %j says what is wrong', async (args, said) => {
  const { code, err } = await sluicebox(['cluster', ...args]);
  expect([code, err]).toEqual([2, expect.stringContaining(said)]);
});

it('ends with 2 when there is no answer, or nobody to ask', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const config = join(folder, 'edge.toml');
  writeFileSync(config, '[log]\ntype = "FileInput"\npaths = ["/var/log/x"]\n');
  const results = await Promise.all([
    sluicebox(['cluster', 'status', '--servers', address]),
    sluicebox(['cluster', 'status', '--servers', 'no address']),
    sluicebox(['cluster', 'status', config]),
  ]);
  expect(results.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(results.map(({ err }) => err)).toEqual([
    expect.stringContaining(`no connection to ${address}: connection refused`),
    expect.stringContaining('must be host:port'),
    expect.stringContaining('has no NatsInput and no NatsOutput'),
  ]);
});
