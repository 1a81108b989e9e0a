import { rename, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openByKey, rotatedBetween } from '../../../../engine/inputs/file/rotation.ts';
import { fileKey } from '../../../../engine/inputs/file/tail.ts';
import { temporaryFolder } from '../harness.ts';

describe('rotated files', () => {
  const names = (files: readonly { readonly path: string }[]): string[] => files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));

  it('between two are those that came away between them, whatever was rotated away since', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    for (const name of ['a.log', 'a.log.1', 'a.log.2', 'a.log.3', 'a.log.4', 'a.log.10']) await writeFile(folder.file(name), name);
    const keyOf = async (path: string): Promise<string> => fileKey(await stat(path, { bigint: true }));
    const info = await stat(`${log}.4`, { bigint: true });
    // It was the second one when it was found.
    const old = { path: `${log}.2`, key: fileKey(info), stat: info };
    expect(names(await rotatedBetween(log, old, await keyOf(log)))).toEqual(['a.log.3', 'a.log.2', 'a.log.1']);
    expect(names(await rotatedBetween(log, old, await keyOf(`${log}.2`)))).toEqual(['a.log.3']);
    expect(names(await rotatedBetween(log, old, null))).toEqual(['a.log.3', 'a.log.2', 'a.log.1']);
  });

  it('are opened under whatever name they have, and not another one in their place', async () => {
    await using folder = await temporaryFolder();
    const log = folder.file('a.log');
    await writeFile(log, 'wanted');
    const key = fileKey(await stat(log, { bigint: true }));
    await rename(log, `${log}.7`);
    await writeFile(log, 'another');
    const handle = await openByKey(log, key);
    expect(await handle?.readFile('utf8')).toBe('wanted');
    await handle?.close();
    expect(await openByKey(log, `${key}0`)).toBeNull();
  });
});
