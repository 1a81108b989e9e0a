import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as values from '../../../engine/section/values.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { formatBatch } from '../../../engine/message/json/json-encode.ts';
import { CASES, MESSAGES, MISTAKES } from '../expression-cases.ts';
import { sluicebox } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-expression-'));
const messages = join(folder, 'messages.json');
const LINES = [...formatBatch(batchOf(MESSAGES))].map((line) => `${line}\n`);
writeFileSync(messages, LINES.join(''));

/** The same as a log. */
const log = join(folder, 'log.json');
const LEVELS: Readonly<Record<number, string>> = { 3: 'error', 4: 'warn', 6: 'info', 7: 'debug' };
writeFileSync(
  log,
  MESSAGES.map(({ severity, payload, fields }, row) => {
    const named = Object.fromEntries(fields.map(({ name, values: [value] }) => [name, value]));
    const record = { n: row, time: `2024-01-0${row + 1}T00:00:00Z`, message: payload, ...named, level: LEVELS[severity ?? 7] };
    return `${JSON.stringify(record)}\n`;
  }).join(''),
);
const numberOf = (line: Record<string, unknown>): unknown =>
  (line['Fields'] as { name: string; value: unknown[] }[]).find(({ name }) => name === 'n')?.value[0];

describe('an expression means the same in each door', () => {
  it.each(CASES)('match, message_matcher: %s', async (expression, rows) => {
    const { out, err } = await sluicebox(['match', '--', expression, messages]);
    expect(err).toBe('');
    expect(out).toBe(rows.map((row) => LINES[row]).join(''));
    expect(values.matcher.safeParse(expression)).toEqual({ success: true, data: expression });
  });

  it.each(MISTAKES)('match, message_matcher: refuses %s', async (expression, said) => {
    const { code, err } = await sluicebox(['match', '--', expression, messages]);
    expect(err).toMatch(said);
    expect(code).toBe(2);
    expect(values.matcher.safeParse(expression).error?.issues[0]?.message).toMatch(said);
  });

  const SOME = [
    'status:(500 or 503)',
    '-connection',
    'remote_addr in 10.0.0.0/8',
    'deadline',
    '-"api" -"connection"',
    'timeout status:5xx',
  ];
  it.each(CASES.filter(([expression]) => SOME.includes(expression)))('decode, view, query, search: %s', async (expression, rows) => {
    const decoded = await sluicebox(['decode', '-q', `--where=${expression}`, log]);
    expect(decoded.lines().map(numberOf)).toEqual(rows);
    const viewed = await sluicebox(['view', '--json', `--where=${expression}`, log]);
    expect(viewed.lines().map(numberOf)).toEqual(rows);
    const searched = await sluicebox(['search', '--decode', '-q', `--where=${expression}`, '"n"', log]);
    expect(searched.lines().map(numberOf)).toEqual(rows);
    const asked = await sluicebox(['query', '-q', `--where=${expression}`, '--format=json', log, 'SELECT n FROM log ORDER BY n']);
    expect(asked.lines().map(({ n }) => n)).toEqual(rows);
  });

  it.each([['decode'], ['search', '--decode', '"n"'], ['query', log, 'SELECT 1']])('%s tells the place of a mistake', async (...args) => {
    const { code, err } = await sluicebox([...args, '--where', 'status:5xx uri =~ /a', ...(args[0] === 'query' ? [] : [log])]);
    expect([code, err]).toEqual([2, expect.stringContaining('--where: column 19: the closing / is missing\n')]);
  });
});
