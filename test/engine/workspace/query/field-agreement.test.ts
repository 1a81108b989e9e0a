/** SQL, the builder and the SQL that it writes say of a field what its decoded messages have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { QueryRows, QueryTable } from '../../../../engine/api/types.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { partOf, withoutRaw } from '../../../../engine/store/segment.ts';
import { NO_FILTER } from '../../../../renderer/src/lib/filter/filter.ts';
import { questionSql } from '../../../../renderer/src/lib/query/question-sql.ts';
import { testMs } from '../../../patience.ts';
import { sluicebox } from '../../cli/run-cli.ts';
import { Engine } from '../engine-fixture.ts';

const SAMPLES = join(import.meta.dirname, '../../../../resources/samples');

let engine: Engine;
beforeEach(() => {
  engine = new Engine(undefined, startSandboxes());
});
afterEach(() => engine.workspace.stop());

/** Messages by first values of a field as texts; '' stands for none. */
type Counts = ReadonlyMap<string, number>;

async function messagesOf(source: number): Promise<Message[]> {
  const { store } = engine.workspace;
  const found: Message[] = [];
  for (const segment of store.segments) {
    const batch = withoutRaw(await store.load(segment));
    const comments = new Set(segment.comments);
    for (let row = 0; row < batch.length; row++)
      if (!comments.has(row) && partOf(segment, row).source === source) found.push(batch.message(row));
  }
  return found;
}

function counted(texts: Iterable<string | null | undefined>): Counts {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text ?? '', (counts.get(text ?? '') ?? 0) + 1);
  return counts;
}

type Cell = QueryRows['rows'][number][number] | Uint8Array | bigint | undefined;

const HEADERS: Readonly<Record<string, (message: Message) => string | number | undefined>> = {
  Type: ({ type }) => type,
  Logger: ({ logger }) => logger,
  Hostname: ({ hostname }) => hostname,
  Severity: ({ severity }) => severity,
  Pid: ({ pid }) => pid,
};

/** The first value of a field or header, as text. */
function valueOf(message: Message, name: string, isField: boolean): string | null {
  const header = isField ? undefined : HEADERS[name];
  if (header !== undefined) return textOf(header(message));
  return textOf(message.fields.filter((field) => field.name === name).flatMap(({ values }) => [...values] as Cell[])[0]);
}

function textOf(value: Cell): string | null {
  if (value === undefined || value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}

async function rowsOf(sql: string): Promise<QueryRows['rows']> {
  const reply = await engine.ask('query.run', { sql });
  if (reply.kind !== 'rows') throw new Error(JSON.stringify(reply));
  return reply.rows;
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Those of a value: records without one are in no group. */
const named = (counts: Counts): Counts => new Map([...counts].filter(([text]) => text !== ''));

/** The ten most frequent values; of equally frequent ones all count alike. */
const topTen = (counts: Counts): number[] =>
  [...counts]
    .filter(([text]) => text !== '')
    .map(([, count]) => count)
    .sort((one, other) => other - one)
    .slice(0, 10);

async function expectAgreement(path: string): Promise<void> {
  const id = await engine.open(path);
  await engine.settled(id);
  const messages = await messagesOf(id);
  const [table] = (await engine.ask('query.tables', {})) as [QueryTable, ...QueryTable[]];
  const { view } = await engine.ask('view.open', { query: {} });
  await expect.poll(() => engine.workspace.views.get(view).complete).toBe(true);
  const names = new Set([...messages.flatMap(({ fields }) => fields.map(({ name }) => name))]);
  const columns = table.columns.filter(({ variable }) => variable !== null && variable.name !== 'Timestamp' && variable.name !== 'Payload');
  expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
  const distinct = columns.map(({ name }) => `count(DISTINCT ${identifier(name)})`).join(', ');
  const asked = `SELECT ${distinct} FROM ${identifier(table.name)}`;
  const [counts] = await rowsOf(asked);
  const file = await sluicebox(['query', '--format', 'csv', path, asked]);
  expect(file.out.split('\n')[1]?.split(',').map(Number)).toEqual(counts?.map(Number));
  for (const [i, { name, variable }] of columns.entries()) {
    const model = counted(messages.map((message) => valueOf(message, name, names.has(name))));
    const isThere = [...model.keys()].filter((text) => text !== '');
    expect([name, Number(counts?.[i])]).toEqual([name, isThere.length]);
    const grouped = await rowsOf(
      questionSql({ measure: 'count', of: null, by: [variable?.name ?? name], display: 'list', unit: '' }, NO_FILTER, [table], null) ?? '',
    );
    const groups = new Map(grouped.map(([value, count]) => [textOf(value) ?? '', Number(count)]));
    expect([name, named(groups)]).toEqual([name, isThere.length <= 1000 ? named(model) : expect.anything()]);
    expect([name, topTen(groups)]).toEqual([name, topTen(model)]);
    const items = await itemsOf(view, variable?.name ?? name);
    expect([name, items]).toEqual([name, new Map([...model].filter(([text]) => text !== '' && items.has(text)))]);
    expect([name, topTen(items)]).toEqual([name, topTen(model)]);
  }
  await engine.ask('view.close', { view });
  await engine.ask('source.close', { id });
}

async function itemsOf(view: number, variable: string): Promise<Counts> {
  for (;;) {
    const answer = await engine.ask('view.measure', { view, measures: ['count'], of: null, by: [variable], over: null, limit: 1000 });
    if (answer.complete) return new Map(answer.groups.map(({ values: [value = ''], records }) => [value, records]));
  }
}

describe('a field has the same values everywhere', () => {
  it.each(readdirSync(SAMPLES).filter((name) => name.endsWith('.log')))('in the sample %s', { timeout: 4 * testMs() }, (name) =>
    expectAgreement(engine.file(name, readFileSync(join(SAMPLES, name)))),
  );

  it('in logs of mixed kinds, identifiers of digits, and repeated names', { timeout: 4 * testMs() }, async () => {
    const word = fc.oneof(
      fc.nat({ max: 30 }).map(String),
      fc.constantFrom(
        '007',
        '1.10',
        '1.1',
        '2.0',
        '2',
        '-0',
        '0',
        '1e3',
        '1000',
        '0.5',
        '12345678901234567',
        '9007199254740993',
        'true',
        'ab',
        '-',
      ),
      fc.nat({ max: 2 ** 32 - 1 }).map((id) => id.toString(16).padStart(8, '0')),
      fc.constantFrom('10.0.0.1', '10.0.0.2', '2001:db8::1', '::1', 'localhost'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    );
    const pair = fc.tuple(fc.constantFrom('id', 'v', 'tag', 'n'), word).map(([name, value]) => `${name}=${value}`);
    const line = fc.array(pair, { minLength: 1, maxLength: 5 }).map((pairs) => `time=2026-01-01T00:00:00Z level=info ${pairs.join(' ')}`);
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 5, maxLength: 40 }), (lines) =>
        expectAgreement(engine.file(`mixed${number++}.log`, lines.map((text) => `${text}\n`).join(''))),
      ),
      { numRuns: 2, endOnFailure: true },
    );
  });
});
