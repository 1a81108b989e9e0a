import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { logsIn } from '../../../../engine/workspace/sources/folder-logs.ts';
import { completions } from '../../../../engine/workspace/sources/path-completion.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-folder-'))));

function lay(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync('a\n') : 'a\n');
  }
}

const logs = async (): Promise<{ names: string[]; left: string[] }> => {
  const { locations, leftOut } = await logsIn(folder);
  return { names: locations.map((path) => path.slice(folder.length + 1)).sort(), left: leftOut.map(({ name, why }) => `${name}: ${why}`) };
};

describe('the logs of a folder', () => {
  it('are opened so many at once, and the next ones when it is opened again', async () => {
    const names = Array.from({ length: 230 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i / 26)}.log`);
    lay(...names);
    const first = await logsIn(folder);
    expect([first.locations.length, first.leftOut.length, first.next]).toEqual([200, 30, 30]);
    expect(first.leftOut[0]?.why).toBe('200 logs are opened at once: open it again for more');
    const next = await logsIn(folder, new Set(first.locations));
    expect([next.locations.length, next.leftOut.length, next.next]).toEqual([230, 0, undefined]);
  });

  it('are those below it, too; a log and its older files are one', async () => {
    lay('syslog', 'syslog.1', 'syslog.2.gz', 'nginx/access.log', 'nginx/access.log.1', 'nginx/error.log', 'app-1.log', 'app-2.log');
    lay('db.log', 'db.log-20210305', 'db.log-20210306.gz');
    expect(await logs()).toEqual({
      names: ['app-1.log', 'app-2.log', 'db.log*', 'nginx/access.log*', 'nginx/error.log', 'syslog*'],
      left: [],
    });
  });

  it('are named one by one where a pattern would take others along', async () => {
    lay('a.log', 'a.log.1', 'a.log.old', 'odd[1].log', 'odd[1].log.1');
    expect((await logs()).names).toEqual(['a.log', 'a.log.1', 'a.log.old', 'odd[1].log', 'odd[1].log.1']);
  });

  it('are not hidden, binary or empty files, and no links in a circle', async () => {
    lay('a.log', '.hidden', '.git/log');
    writeFileSync(join(folder, 'wtmp'), Buffer.alloc(400));
    writeFileSync(join(folder, 'empty.log'), '');
    writeFileSync(join(folder, 'wide.log'), Buffer.from('\ufeffa\n', 'utf16le'));
    symlinkSync(folder, join(folder, 'again'));
    symlinkSync(join(folder, 'a.log'), join(folder, 'link.log'));
    expect(await logs()).toEqual({
      names: ['a.log', 'link.log', 'wide.log'],
      left: ['empty.log: it is empty', 'wtmp: it is a binary file'],
    });
  });

  it('are none in a folder that is not there', async () => {
    expect(await logsIn(join(folder, 'none'))).toEqual({ locations: [], leftOut: [] });
  });
});

describe('continuations of a path', () => {
  const offered = async (text: string): Promise<string[]> =>
    (await completions(join(folder, text))).map((one) => one.slice(folder.length + 1));

  it('are files and folders that begin with it, hidden ones on demand', async () => {
    lay('app.log', 'apple/x', 'b.log', '.apart');
    expect(await offered('ap')).toEqual(['app.log', 'apple/']);
    expect(await completions(`${folder}/`)).toEqual([`${folder}/app.log`, `${folder}/apple/`, `${folder}/b.log`]);
    expect(await offered('.a')).toEqual(['.apart']);
    expect(await offered('none')).toEqual([]);
  });

  it('are none of what is not a path, and at most fifty', async () => {
    for (let i = 0; i < 60; i++) lay(`many-${i}`);
    expect(await offered('many')).toHaveLength(50);
    expect(await completions('words')).toEqual([]);
    expect(await completions(`${folder}/\0`)).toEqual([]);
    expect(await completions(`${folder}/none/x`)).toEqual([]);
  });
});
