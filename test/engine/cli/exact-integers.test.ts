/** Integers of 64 bits from a line of JSON to each place where they are shown or written. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testMs } from '../../patience.ts';
import { fileOf, sluicebox } from './run-cli.ts';

const IDS = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '5'];
const log = (): string =>
  fileOf(
    'app.log',
    IDS.map((id, i) => `{"time":"2026-11-20T10:00:0${i}Z","level":"info","msg":"m","id":${id},"list":[${id},7]}\n`).join(''),
  );
const digits = (text: string): string[] => [...text.matchAll(/-?\d+/g)].map(([number]) => number);

describe('integers beyond 2^53', { timeout: 2 * testMs() }, () => {
  it('are decoded, filtered and written as messages with all their digits', async () => {
    const decoded = await sluicebox(['decode', log()]);
    const values = decoded.out.split('\n').flatMap((line) => /"name":"id",.*?"value":\[(-?\d+)\]/.exec(line)?.[1] ?? []);
    expect(values).toEqual(IDS);
    const pass = fileOf('pass.js', `export function process_message() { inject_message(read_message('raw')); return 0; }`);
    const filtered = await sluicebox(['filter', pass, fileOf('messages.json', decoded.out)]);
    for (const id of IDS) expect(filtered.out).toContain(`[${id}]`);
  });

  it('are encoded as JSON with all their digits', async () => {
    const decoded = await sluicebox(['decode', log()]);
    const { out } = await sluicebox(['encode', 'json_lines', fileOf('messages.json', decoded.out)]);
    expect([...out.matchAll(/"id":(-?\d+)/g)].map(([, id]) => id)).toEqual(IDS);
    expect(out).toContain('"list":[9007199254740993,7]');
  });

  it.each(['table', 'csv', 'json'])('are printed by a query as %s', async (format) => {
    const { out } = await sluicebox(['query', '-q', '--format', format, log(), 'SELECT id FROM app ORDER BY Timestamp']);
    expect(digits(out)).toEqual(IDS);
  });

  it('come back from a store, and sums of them are exact', async () => {
    const file = log();
    const store = join(dirname(file), 'store');
    await sluicebox(['import', '-q', '--store', store, file]);
    const ask = async (sql: string): Promise<string[]> =>
      digits((await sluicebox(['query', '--format', 'csv', '--store', store, sql])).out);
    expect(await ask('SELECT id FROM app ORDER BY Timestamp')).toEqual(IDS);
    expect(await ask('SELECT id FROM messages WHERE id = 9007199254740993')).toEqual(['9007199254740993']);
    expect(await ask('SELECT sum(id) AS s FROM app')).toEqual([String(IDS.reduce((sum, id) => sum + BigInt(id), 0n))]);
    expect(await ask('SELECT unnest(list_list) AS v FROM app WHERE id = 9223372036854775807')).toEqual(['9223372036854775807', '7']);
    rmSync(store, { recursive: true });
  });

  it('are one column with the doubles of their field', async () => {
    const file = fileOf('mixed.log', [1, 0.5, '9007199254740993', 2].map((took) => `{"level":"info","msg":"m","took":${took}}\n`).join(''));
    const { out } = await sluicebox([
      'query',
      '-q',
      '--format',
      'csv',
      file,
      "SELECT count(took) AS a, min(took_number) AS b, string_agg(took, ' ' ORDER BY took_number) AS c FROM mixed",
    ]);
    expect(out).toBe('a,b,c\n4,0.5,0.5 1 2 9007199254740993\n');
  });
});
