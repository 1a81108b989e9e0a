import { expect, it } from 'vitest';
import { Engine } from './engine-fixture.ts';

it('finds a record by its number among those of its source, and by its time where it has another number', async () => {
  const engine = new Engine();
  const lineOf = (second: number): string => `2025-02-10T10:00:0${second}Z record ${second}\n`;
  const sources = [
    await engine.open(engine.file('one.log', lineOf(1) + lineOf(3))),
    await engine.open(engine.file('two.log', lineOf(2) + lineOf(4))),
  ];
  const [, source = 0] = sources;
  await expect.poll(async () => (await engine.source(source))?.records, { timeout: 5000 }).toBe(2);
  const found = await engine.ask('record.find', { source, number: 2, time: null });
  const { source: of, raw } = await engine.ask('record.get', { id: found?.id ?? -1 });
  expect([of, raw, found?.by]).toEqual([source, lineOf(4).trim(), 'number']);
  const time = found?.time ?? 0;
  expect(await engine.ask('record.find', { source, number: 2, time })).toEqual({ ...found, by: 'both' });
  expect(await engine.ask('record.find', { source, number: 7, time })).toEqual({ id: (found?.id ?? 0) - 1, time, by: 'time' });
  expect(await engine.ask('record.find', { source, number: 7, time: null })).toBe(null);
  expect(await engine.ask('record.find', { source, number: 2, time: time + 1 })).toEqual(found);
  await engine.workspace.stop();
});
