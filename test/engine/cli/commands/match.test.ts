import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useLookups } from '../../../../engine/lookup/folder.ts';
import { sluicebox } from '../run-cli.ts';

const message = (type: string, severity: number): string =>
  JSON.stringify({ Uuid: '0f6a1c2e-1111-4222-8333-944455556666', Timestamp: 0, Type: type, Severity: severity });
const LINES = [message('a', 3), message('b', 4), message('c', 6)].map((line) => `${line}\n`).join('');
const file = join(mkdtempSync(join(tmpdir(), 'sluicebox-match-')), 'messages.json');
writeFileSync(file, LINES);

describe('sluicebox match', () => {
  it.each([
    [['Severity < 5'], 'ab'],
    [['level>=warn'], 'ab'],
    [['-v', 'Severity < 5'], 'c'],
    [['-v', 'TRUE'], ''],
    [['--from', 'json', "Type == 'b'"], 'b'],
  ])('%j selects %s', async (args, types) => {
    const { code, err, lines } = await sluicebox(['match', ...args, file]);
    expect([
      code,
      err,
      lines()
        .map(({ Type }) => Type)
        .join(''),
    ]).toEqual([types === '' ? 1 : 0, '', types]);
  });

  it('counts with -c, in all files', async () => {
    expect(await sluicebox(['match', '-c', 'level:error', file, file])).toMatchObject({ code: 0, out: '2\n', err: '' });
    expect(await sluicebox(['match', '-c', '-v', 'level:error', '-'], LINES)).toMatchObject({ code: 0, out: '2\n', err: '' });
  });

  it('names what it cannot read, and goes on', async () => {
    const broken = await sluicebox(['match', '-c', 'TRUE'], `${LINES}no message\n`);
    expect(broken).toMatchObject({ code: 2, out: '3\n' });
    expect(broken.err).toContain('standard input:4: not JSON');
    const missing = await sluicebox(['match', '-c', 'TRUE', `${file}x`, file]);
    expect(missing).toMatchObject({ code: 2, out: '3\n' });
    expect(missing.err).toContain(`${file}x`);
  });

  it.each([
    [[], /needs an expression/],
    [['Severity <'], /column/],
    [['--from', 'xml', 'TRUE'], /--from/],
  ])('%j is refused', async (args, reason) => {
    const { code, err } = await sluicebox(['match', ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
  });

  it('names lookups by the folder of --lookups', async () => {
    const lookups = mkdtempSync(join(tmpdir(), 'sluicebox-lookups-'));
    writeFileSync(join(lookups, 'types.csv'), 'type,team\na,web\nb,data\n');
    const of = async (...args: string[]): Promise<unknown[]> => {
      const { code, err, lines } = await sluicebox(['match', ...args, file]);
      return code === 0 ? lines().map(({ Type }) => Type) : [code, err];
    };
    try {
      expect(await of('--lookups', lookups, 'Type@types.team:web')).toEqual(['a']);
      expect(await of('--lookups', lookups, 'Type not in @types')).toEqual(['c']);
      expect(await of('--lookups', lookups, 'Type in @typs')).toEqual([2, expect.stringContaining('did you mean types?')]);
      expect(await of('--lookups', `${lookups}/none`, 'TRUE')).toEqual([2, expect.stringContaining('--lookups: there is no folder')]);
    } finally {
      useLookups(null);
      rmSync(lookups, { recursive: true });
    }
  });
});
