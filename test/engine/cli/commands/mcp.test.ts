import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testMs } from '../../../patience.ts';
import { fileOf, sluicebox } from '../run-cli.ts';
import { startCommand } from '../start-command.ts';

const line = (user: string): string => `203.0.113.9 - ${user} [10/Feb/2025:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl/8"\n`;
const ask = (id: number, method: string, params: object): string => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

describe('sluicebox mcp', { timeout: testMs() }, () => {
  it('answers on standard output, writes nothing else there, and ends with its input', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'sluicebox-mcp-'));
    const log = join(temporary, 'asked.jsonl');
    const file = fileOf('granted.log', line('anna') + line('anna'));
    await using command = startCommand(['mcp', '--redact', '--log', log, file, join(temporary, 'missing.log')], {
      env: { TMPDIR: temporary },
    });
    const sql = 'SELECT remote_user, reverse(remote_addr) AS a FROM granted LIMIT 1';
    command.child.stdin.write(
      ask(1, 'initialize', opening) +
        ask(2, 'tools/call', { name: 'search', arguments: {} }) +
        ask(3, 'tools/call', { name: 'query', arguments: { sql } }),
    );
    await expect.poll(() => command.out().split('\n').length, { timeout: testMs() / 2 }).toBe(4);
    command.child.stdin.end();
    expect(await command.ended).toBe(0);
    const replies = new Map(
      command
        .out()
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text) as { id: number; result: object })
        .map(({ id, result }) => [id, result]),
    );
    expect(replies.get(1)).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'sluicebox' } });
    expect(replies.get(2)).toMatchObject({
      isError: false,
      structuredContent: { data: { total: 2, records: [{ record: 'granted.log#1' }, { record: 'granted.log#2' }] } },
    });
    expect(replies.get(3)).toMatchObject({ isError: false });
    for (const original of ['anna', '203.0.113.9', '9.311.0.302', temporary]) expect(command.out()).not.toContain(original);
    expect(command.err()).toContain('missing.log');
    expect(readdirSync(temporary)).toEqual(['asked.jsonl']);
    const asked = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { tool: string });
    expect(asked.toSorted((one, other) => one.tool.localeCompare(other.tool))).toMatchObject([
      { level: 'info', tool: 'query' },
      { level: 'info', tool: 'search', message: 'search {}' },
    ]);
    expect(existsSync(file)).toBe(true);
  });

  it.each([
    ['no file', [], 'mcp needs files'],
    ['a file that is missing', ['/nowhere/x.log'], 'none of the files is there'],
    ['a limit that is too low', ['--bytes', '10', '/nowhere/x.log'], '--bytes must be from'],
  ])('refuses %s', async (_, args, words) => {
    const { code, out, err } = await sluicebox(['mcp', ...args]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
  });
});
