import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askedPath, forgetAsked, lastAsked, noteAsked } from '../../../engine/assistants/asked.ts';
import { assistantsFolder } from '../../../engine/assistants/grants.ts';

const folderOf = (): string => mkdtempSync(join(tmpdir(), 'sluicebox-asked-'));
const lineOf = (question: string, more: object = {}): string =>
  JSON.stringify({ time: '2025-02-10T10:00:00.000Z', tool: 'search', question, files: [], rows: 1, records: [], ...more });

describe('what assistants have asked', () => {
  it('is kept in a file of this user that is begun anew when it is large, the latest first', async () => {
    const data = folderOf();
    const path = askedPath(data);
    expect(await lastAsked(path)).toEqual([]);
    await noteAsked(path, lineOf('one'));
    if (process.platform !== 'win32')
      expect([statSync(path).mode & 0o777, statSync(assistantsFolder(data)).mode & 0o777]).toEqual([0o600, 0o700]);
    writeFileSync(path, `${lineOf('x'.repeat(300))}\n`.repeat(4000));
    await noteAsked(path, lineOf('after'));
    await noteAsked(path, lineOf('last'));
    expect(readdirSync(assistantsFolder(data)).toSorted()).toEqual(['asked.1.jsonl', 'asked.jsonl']);
    const asked = await lastAsked(path);
    expect([asked.length, ...asked.slice(0, 3).map(({ question }) => question.slice(0, 5))]).toEqual([200, 'last', 'after', 'xxxxx']);
    await forgetAsked(path);
    expect(readdirSync(assistantsFolder(data))).toEqual([]);
  });

  it('passes over lines that are none of a question, and shows what would command or deceive', async () => {
    const path = askedPath(folderOf());
    await noteAsked(path, lineOf('\u001b[2J\u202ea', { error: '\u0007' }));
    for (const wrong of [
      'no JSON',
      '{}',
      lineOf('x', { records: [{ name: 1 }] }),
      lineOf('x', { time: 'never' }),
      lineOf('x', { files: '*' }),
    ])
      await noteAsked(path, wrong);
    writeFileSync(path, `${readFileSync(path, 'utf8')}${lineOf('half').slice(0, 40)}`);
    expect(await lastAsked(path)).toEqual([
      {
        ...{ at: Date.parse('2025-02-10T10:00:00Z'), tool: 'search', question: String.raw`\u001b[2J\u202ea`, files: [], rows: 1 },
        ...{ error: String.raw`\u0007`, records: [] },
      },
    ]);
  });

  it.skipIf(process.platform === 'win32')('is not written through a link, nor read through one', async () => {
    const data = folderOf();
    const path = askedPath(data);
    await noteAsked(path, lineOf('one'));
    await forgetAsked(path);
    const elsewhere = join(data, 'elsewhere.jsonl');
    symlinkSync(elsewhere, path);
    await expect(noteAsked(path, lineOf('two'))).rejects.toThrow('ELOOP');
    expect(existsSync(elsewhere)).toBe(false);
    writeFileSync(elsewhere, `${lineOf('planted')}\n`);
    expect(await lastAsked(path)).toEqual([]);
  });
});
