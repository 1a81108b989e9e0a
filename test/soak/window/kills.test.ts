import { mkdtempSync, rmSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Graph } from '../../../engine/api/types.ts';
import { WorkspaceFile } from '../../../engine/workspace/file/workspace-file.ts';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';
import { EngineProcess } from './engine-process.ts';
import { windowKills } from './kills.ts';

it('shows all that it had shown after each kill of the engine', async () => {
  const { lost, repeated, shown, sent } = await windowKills({ kills: 3, recordsPerSecond: 2000, seed: 1, every: [100, 700] });
  expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 });
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThanOrEqual(sent);
});

const accessLine = (i: number): string =>
  `192.0.2.${i % 9} - - [29/Nov/2026:10:0${i % 7}:00 +0000] "GET /${i} HTTP/1.1" ${i % 5 === 0 ? 404 : 200} 12 "-" "curl"\n`;

/** The sums of the columns of the graphs that have values. */
const sums = (graphs: readonly Graph[]): string[] =>
  graphs.flatMap(({ plugin, columns }) => {
    const all = columns.map(
      ({ name, values }) => `${plugin} ${name} ${values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)}`,
    );
    return all.filter((line) => !line.endsWith(' 0'));
  });

it('has records, marks, filters and graphs where they stood before a kill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-window-'));
  const port = await freePort();
  const path = join(folder, 'workspace.toml');
  await new WorkspaceFile(path).read();
  await appendFile(
    path,
    `
[web]
type = "TcpInput"
address = "127.0.0.1:${port}"
decoder = "combined"

[combined]
type = "SandboxDecoder"
plugin = "nginx_access"

[combined.config]
log_format = "combined"
`,
  );
  let engine = new EngineProcess(folder);
  try {
    const lines = Array.from({ length: 300 }, (_, i) => accessLine(i));
    await until(() => engine.state?.sources.some(({ state }) => state === 'listening'), 'the listener');
    connect(port, '127.0.0.1').end(lines.join(''));
    await until(() => engine.shown('tcp') === lines.length, 'the records');
    await engine.request('mark.set', { record: 120, on: true });
    const [{ key, text } = { key: -1, text: '' }] = await engine.request('mark.list', {});
    await engine.request('mark.note', { key, note: 'look here' });
    const before = await until(async () => sums(await engine.request('graph.list', {})).join('\n'), 'the graphs');
    const stood = await engine.lines();
    const filters = engine.state?.plugins.map(({ name }) => name).sort();
    await until(async () => (await marksOn(folder)).includes('look here'), 'the marks on disk');
    await engine.kill();

    engine = new EngineProcess(folder);
    await until(() => engine.shown('tcp') === lines.length, 'the records of before');
    expect(await engine.lines()).toEqual(stood);
    expect(await engine.request('mark.list', {})).toMatchObject([{ text, note: 'look here', record: expect.any(Number) as number }]);
    expect(engine.state?.plugins.map(({ name }) => name).sort()).toEqual(filters);
    await expect.poll(async () => sums(await engine.request('graph.list', {})).join('\n')).toBe(before);

    // A window that is closed in order begins anew.
    await engine.stop();
    engine = new EngineProcess(folder);
    await until(() => engine.state?.sources.some(({ state }) => state === 'listening'), 'the listener');
    expect(await engine.lines()).toEqual([]);
    expect(await marksOn(folder)).not.toContain('look here');
  } finally {
    await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

const marksOn = (folder: string): Promise<string> => readFile(join(folder, 'marks.json'), 'utf8');
