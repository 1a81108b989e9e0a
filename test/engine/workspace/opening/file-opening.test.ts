import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { slowness } from '../../../patience.ts';
import { Engine } from '../engine-fixture.ts';

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});

function started(): Engine {
  const engine = new Engine();
  engines.push(engine);
  return engine;
}

function fifo(engine: Engine, name: string): string {
  const path = `${engine.folder}/${name}`;
  execFileSync('mkfifo', [path]);
  return path;
}

describe.runIf(process.platform !== 'win32')('what is not a file', () => {
  it('is refused, twenty pipes at once, and files beside them are read', async () => {
    const engine = started();
    const pipes = Array.from({ length: 20 }, (_, i) => fifo(engine, `pipe${i}.log`));
    const files = Array.from({ length: 5 }, (_, i) => engine.file(`file${i}.log`, `one ${i}\ntwo ${i}\n`));
    for (const path of [...pipes, ...files]) await engine.grant(path, 'open');
    const { opened } = await engine.ask('source.open', { paths: [...pipes, ...files] });
    for (const id of opened) await engine.settled(id);
    const { sources } = await engine.ask('engine.state', {});
    const states = sources.map(({ state, records, problem }) => [state, records, problem?.includes('is a pipe') ?? false]);
    expect(states).toEqual([...pipes.map(() => ['failed', 0, true]), ...files.map(() => ['following', 2, false])]);
    const began = performance.now();
    for (const id of opened.slice(0, 3)) await engine.ask('source.close', { id });
    await engine.stop();
    expect(performance.now() - began).toBeLessThan(2000 * slowness());
  });

  it.each(['/dev/zero', '/dev/full', '/dev/null', '/dev/random'].filter((path) => existsSync(path)))('is refused: %s', async (path) => {
    const engine = started();
    const id = await engine.open(path);
    await engine.settled(id);
    expect(await engine.source(id)).toMatchObject({
      state: 'failed',
      records: 0,
      problem: expect.stringContaining(`${path} is`) as string,
    });
  });

  it('is not looked into before it is opened', async () => {
    const engine = started();
    const path = fifo(engine, 'pipe.log');
    expect(await engine.ask('source.head', { id: await engine.open(path) })).toEqual({ lines: [] });
  });
});
