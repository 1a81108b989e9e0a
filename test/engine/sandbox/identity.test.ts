import { afterAll, describe, expect, it } from 'vitest';
import { formatUuid } from '../../../engine/message/uuid.ts';
import { batchOf, message, SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

/** `2` becomes two messages, `own` brings a uuid, `pass` is passed on, `bad` is refused. */
const SCRIPT = `function process_message() {
  const text = read_message('Payload');
  if (text === 'bad') return [-1, 'bad'];
  if (text === 'pass') { write_message('Type', 'passed'); return 0; }
  if (text === 'own') inject_message({ Uuid: 'ABCDEFGHIJKLMNOP', Type: 'own' });
  else for (let i = 0; i < Number(text); i++) inject_message({ Type: 'made', Payload: String(i) });
  return 0;
}`;
const RECORDS = ['1', '3', 'bad', 'own', 'pass', '2', '1'];
const records = batchOf(RECORDS.map((payload, i) => message({ payload, uuid: new Uint8Array(16).fill(i + 1) })));

async function uuids(isIdentified: boolean, selection: Uint32Array | null = null): Promise<string[]> {
  const sandbox = await bench.start(SCRIPT, { kind: 'decoder' });
  const { injected } = await sandbox.process(records.with({ isIdentified }), selection);
  await sandbox.stop();
  return Array.from({ length: injected?.length ?? 0 }, (_, i) => formatUuid(injected?.uuids as Uint8Array, i * 16));
}

const uuidOf = (row: number): string => formatUuid(new Uint8Array(16).fill(row + 1));
const OWN = formatUuid(Buffer.from('ABCDEFGHIJKLMNOP'));

describe('messages of records that are identified', () => {
  it('get the UUIDs of their records, and further ones that are the same each time', async () => {
    const made = await uuids(true);
    expect(made).toHaveLength(9);
    expect(made[0]).toBe(uuidOf(0));
    expect(made.slice(1, 4)).toEqual([uuidOf(1), expect.stringMatching(/^.{14}4/), expect.stringMatching(/^.{14}4/)]);
    expect(made.slice(4, 7)).toEqual([OWN, uuidOf(4), uuidOf(5)]);
    expect(made[8]).toBe(uuidOf(6));
    expect(new Set(made).size).toBe(9);
    expect(await uuids(true)).toEqual(made);
    expect(await uuids(true, Uint32Array.of(1, 6))).toEqual([...made.slice(1, 4), uuidOf(6)]);
  });

  it('get random ones where nothing identifies the records', async () => {
    const made = await uuids(false);
    const again = await uuids(false);
    // Records that are passed on are the messages, and one brought its own.
    expect(made.filter((uuid) => again.includes(uuid))).toEqual([OWN, uuidOf(4)]);
  });
});
