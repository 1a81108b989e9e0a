import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookAtLookups, useLookups } from '../../../../engine/lookup/folder.ts';
import { mmdbOf } from '../../lookup/mmdb-writer.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
const folder = mkdtempSync(join(tmpdir(), 'script-lookups-'));
beforeAll(() => {
  writeFileSync(join(folder, 'hosts.csv'), 'host,owner,ports,8080\nweb-1,ops,443,a\n7,seven,1,b\ntrue,yes,2,c\n');
  writeFileSync(join(folder, 'geo.mmdb'), mmdbOf({ '10.0.0.0/8': { country: { iso_code: 'DE' }, asn: 64_512, is_private: true } }));
  writeFileSync(join(folder, 'broken.csv'), '10.0.0.0/99\n');
  writeFileSync(join(folder, 'secret.txt'), 'x');
  useLookups(folder);
});
afterAll(async () => {
  useLookups(null);
  rmSync(folder, { recursive: true });
  await bench.close();
});

describe('what a script gets from a lookup', () => {
  it.each<[string, unknown]>([
    [`lookup('web-1', 'hosts', 'owner')`, 'ops'],
    [`lookup('web-1', 'hosts', 'ports')`, 443],
    [`lookup('web-2', 'hosts', 'owner')`, null],
    [`lookup(7, 'hosts', 'owner')`, 'seven'],
    [`lookup(7n, 'hosts', 'owner')`, 'seven'],
    [`lookup(true, 'hosts', 'owner')`, 'yes'],
    [`[null, undefined, '', 'x'.repeat(1025)].map((value) => lookup(value, 'hosts', 'owner'))`, [null, null, null, null]],
    [`lookup('10.1.2.3', 'geo', 'country')`, 'DE'],
    [`lookup('10.1.2.3', 'geo', 'asn')`, 64_512],
    [`lookup('10.1.2.3', 'geo', 'is_private')`, true],
    [`lookup('11.1.2.3', 'geo', 'country')`, null],
    [`['web-1', 'web-2', null, 7].map((value) => in_lookup(value, 'hosts'))`, [true, false, false, true]],
    [`['10.1.2.3', '11.1.2.3', 'web-1'].map((value) => in_lookup(value, 'geo'))`, [true, false, false]],
    [`[1, 2, 3].map(() => lookup('web-2', 'hosts', 'owner'))`, [null, null, null]],
    [`lookup('x', 'host', 'owner')`, { error: `lookup: there is no lookup host in ${folder}` }],
    [`in_lookup('x', '../secret')`, { error: `in_lookup: there is no lookup ../secret in ${folder}` }],
    [`in_lookup('x', 'secret')`, { error: `in_lookup: there is no lookup secret in ${folder}` }],
    [`in_lookup('x', 'hosts.csv')`, { error: `in_lookup: there is no lookup hosts.csv in ${folder}` }],
    [`lookup('x', 'hosts', 'port')`, { error: `lookup: ${join(folder, 'hosts.csv')} has no column port` }],
    [`lookup('10.1.2.3', 'geo', 'contry')`, { error: `lookup: ${join(folder, 'geo.mmdb')} has no values contry` }],
    [`in_lookup('x', 'broken')`, { error: expect.stringContaining('broken.csv:1: 10.0.0.0/99 is no network') }],
    [`lookup('x', 'hosts')`, { error: 'lookup: three arguments, not 2' }],
    [`lookup('x', 'hosts', null)`, { error: 'lookup: the column must be a string, not null' }],
    [`in_lookup('x')`, { error: 'in_lookup: two arguments, not 1' }],
    [`in_lookup('x', 5)`, { error: 'in_lookup: the name of the lookup must be a string, not number' }],
    [`in_lookup({}, 'hosts')`, { error: 'in_lookup: the value must be a text, a number or a truth value, not object' }],
  ])('%s', async (expression, expected) => {
    expect(await bench.evaluate('filter', line(''), [expression])).toEqual([expected]);
  });
});

const ASKING = `function process_message() {
  let last = null;
  for (let i = 0; i < Number(read_message('Payload')); i++) last = lookup('key-' + i % DISTINCT, 'hosts', 'owner');
  inject_message({ Payload: String(last) });
  return 0;
}
function timer_event() { inject_message({ Payload: String(lookup('web-1', 'hosts', 'owner')) }); }`;
const asking = (distinct: number): string => ASKING.replace('DISTINCT', String(distinct));

it('questions to the engine count as steps, and those that were answered do not', async () => {
  const limits = { instructions: 100_000 };
  const few = await bench.start(asking(100), { limits });
  expect((await few.process(batchOf([line('20000')]), null)).terminated).toBeNull();
  const many = await bench.start(asking(20_000), { limits });
  expect((await many.process(batchOf([line('20000')]), null)).terminated).toMatchObject({ code: 'limit.instructions' });
});

it('the answers that are kept fit into the memory of a script', async () => {
  const script = await bench.start(asking(1e6), { limits: { instructions: 0, memory: 4 << 20 } });
  expect((await script.process(batchOf([line('12000')]), null)).terminated).toBeNull();
});

it('a changed list answers from the next call on, and a broken one not', async () => {
  const script = await bench.start(`${ASKING.replace('DISTINCT', '1')}`);
  const path = join(folder, 'hosts.csv');
  const owner = async (): Promise<unknown> => messagesOf(await script.timer(0n))[0]?.payload;
  expect(await owner()).toBe('ops');
  for (const [i, [text, expected]] of [
    ['host,owner\nweb-1,dev\n', 'dev'],
    ['host,owner\nweb-1,a,b\n', 'dev'],
  ].entries()) {
    writeFileSync(path, text as string);
    utimesSync(path, i + 1, i + 1);
    lookAtLookups();
    lookAtLookups();
    expect(await owner()).toBe(expected);
  }
});
