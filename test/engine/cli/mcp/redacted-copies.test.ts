import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { grantedPlace } from '../../../../engine/assistants/granted-places.ts';
import { RedactedCopies } from '../../../../engine/cli/mcp/redacted-copies.ts';
import { Redactor } from '../../../../engine/redact/redactor.ts';

it('follows files, also those that are rotated, packed or come later, and no links that lead out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-copies-'));
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const old = new Date('2024-05-06T07:08:09Z');
  writeFileSync(join(logs, 'a.log'), 'from 203.0.113.1\nfrom 203.0.113.2');
  utimesSync(join(logs, 'a.log'), old, old);
  writeFileSync(join(logs, 'b.log.gz'), gzipSync('mail of eve@firm.example\n'));
  writeFileSync(join(folder, 'secret'), 'secret\n');
  symlinkSync(join(folder, 'secret'), join(logs, 'c.log'));
  const complaints: string[] = [];
  const copies = new RedactedCopies(join(folder, 'copies'), new Redactor(), (text) => complaints.push(text));
  const granted = [await grantedPlace(join(logs, '*.log*'))];
  const texts = async (): Promise<string[]> => (await copies.places(granted)).map(({ path }) => readFileSync(path, 'utf8'));

  const [first = '', packed = ''] = await texts();
  expect(first.split('\n').map((text) => text.replace(/\d+/g, '0'))).toEqual(['from 0.0.0.0', 'from 0.0.0.0', '']);
  expect(packed).toMatch(/^mail of user-\w+@host-\w+\.example\n$/);
  expect(await texts()).toEqual([first, packed]);

  appendFileSync(join(logs, 'a.log'), '\nfrom 203.0.113.1\nhalf a line');
  const [more = ''] = await texts();
  expect(more.split('\n').slice(0, 3)).toEqual([...first.split('\n').slice(0, 2), first.split('\n')[0]]);
  renameSync(join(logs, 'a.log'), join(folder, 'a.log.1'));
  writeFileSync(join(logs, 'a.log'), 'a new file\n');
  writeFileSync(join(logs, 'd.log'), 'another one\n');
  const all = await texts();
  expect(all[0]?.endsWith('a new file\n')).toBe(true);
  expect(all[2]).toBe('another one\n');
  expect(all.join('')).not.toMatch(/203\.0\.113\.|eve|secret\n/);
  expect(complaints).toEqual([]);
});
