/** Asks a lake again and again, and tells which ranges it has seen. Arguments: folder, folder for temporary files. */
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { askedTables } from '../../../engine/ask/tables.ts';
import { openTables } from '../../../engine/ask/database.ts';
import { Lake } from '../../../engine/catalogue/lake.ts';
import { filesAt } from '../../../engine/catalogue/place.ts';
import { lakeTables } from '../../../engine/cli/store/lake-tables.ts';
import { nowMs, type Seen } from './roles.ts';

const [folder = '', spill = ''] = process.argv.slice(2);
const lake = new Lake(filesAt({ path: folder }));
const SQL = `SELECT w, r, count(*) AS rows, count(DISTINCT n) AS numbers, sum(n) AS sum, any_value(size) AS size FROM messages
  WHERE "table" LIKE 'keep%' GROUP BY ALL ORDER BY ALL`;

/** Rows and sum of numbers that a range of a size has in tables that stay. */
function expected(size: number): { readonly rows: number; readonly sum: number } {
  const kept = Array.from({ length: size }, (_, n) => n).filter((n) => n % 3 !== 2);
  return { rows: kept.length, sum: kept.reduce((sum, n) => sum + n, 0) };
}

async function look(): Promise<Seen | null> {
  const begunMs = nowMs();
  const { tables } = await lakeTables(lake, SQL, { complain: () => undefined });
  const pinnedMs = nowMs();
  if (tables.length === 0) return null;
  const files = tables.flatMap((table) => table.files.map(({ path }) => path));
  try {
    const connection = await openTables({ tables: askedTables(tables), files, spill, memoryMib: 256 });
    const found = await connection.runAndReadAll(SQL);
    connection.closeSync();
    const ranges: Record<string, number[]> = {};
    const wrong: string[] = [];
    for (const [w, r, rows, numbers, sum, size] of found.getRows()) {
      const want = expected(Number(size));
      (ranges[String(w)] ??= []).push(Number(r));
      if (Number(rows) !== want.rows || Number(numbers) !== want.rows || Number(sum) !== want.sum)
        wrong.push(`range ${String(r)} of ${String(w)}: ${String(rows)} rows, ${String(numbers)} numbers, want ${want.rows}`);
    }
    return { begunMs, pinnedMs, ranges, wrong, files: files.length, late: false };
  } catch (error) {
    // It took longer than the grace time.
    if (files.every((path) => existsSync(path))) throw error;
    return { begunMs, pinnedMs, ranges: {}, wrong: [], files: files.length, late: true };
  }
}

for (;;) {
  const seen = await look();
  if (seen !== null) process.stdout.write(`${JSON.stringify(seen)}\n`);
  await delay(50);
}
