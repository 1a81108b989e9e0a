import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Graph } from '../../../../engine/api/types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { secondsPerRow } from '../../../../engine/workspace/filters/graph-span.ts';
import { DEFAULT_TEMPLATES, type FilterTemplate } from '../../../../engine/workspace/file/templates.ts';
import { until } from '../../../until.ts';
import { Engine } from '../engine-fixture.ts';

const HOUR = 3_600_000;
const [HTTP_STATUS] = DEFAULT_TEMPLATES as [FilterTemplate];

describe('the rows of a graph', () => {
  it.each([
    [HOUR, {}, 60],
    [23 * HOUR, {}, 60],
    [25 * HOUR, {}, 120],
    [72 * HOUR, {}, 300],
    [72 * HOUR, { rows: 10_000 }, 60],
    [365 * 24 * HOUR, {}, 43_200],
    [40 * 365 * 24 * HOUR, {}, 11 * 86_400],
  ])('of %d ms with %o are %d seconds long', (span, config, seconds) => {
    expect(secondsPerRow({ ...HTTP_STATUS, config }, span)).toBe(seconds);
  });

  it('are as the section says, where it says something, and where a script has no rows', () => {
    expect(secondsPerRow({ ...HTTP_STATUS, config: { sec_per_row: 1 } }, 72 * HOUR)).toBeNull();
    expect(
      secondsPerRow({ ...HTTP_STATUS, config: { anomaly_config: 'roc("HTTP Status", 1, 15, 0, 1.5, true, false)' } }, 72 * HOUR),
    ).toBeNull();
    expect(secondsPerRow({ ...HTTP_STATUS, script: 'frequent_items', config: {} }, 72 * HOUR)).toBeNull();
  });
});

describe('the graphs of a file', () => {
  let engine: Engine;
  beforeEach(() => {
    engine = new Engine(undefined, startSandboxes());
  });
  afterEach(() => engine.stop());

  const line = (date: number, hour: number): string =>
    `192.0.2.7 - - [${String(date).padStart(2, '0')}/Nov/2026:${String(hour).padStart(2, '0')}:00:00 +0000] "GET / HTTP/1.1" 200 12 "-" "curl/8.4.0"\n`;
  const days = (...dates: number[]): string => dates.flatMap((date) => Array.from({ length: 24 }, (_, hour) => line(date, hour))).join('');
  const graph = async (): Promise<Graph | undefined> => (await engine.ask('graph.list', {}))[0];
  const requests = async (): Promise<number> =>
    (await graph())?.columns[1]?.values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0) ?? 0;

  it('have all of its days, also when it grows and when somebody looks at them meanwhile', async () => {
    const path = engine.file('access.log', days(1, 2, 3));
    const id = await engine.open(path);
    await engine.settled(id);
    await until(async () => (await requests()) === 72);
    expect((await graph())?.rowMs).toBe(300_000);
    appendFileSync(path, days(4, 5, 6, 7, 8, 9));
    await until(async () => (await requests()) === 216, 'the graph of nine days');
    expect((await graph())?.rowMs).toBe(600_000);
    expect((await engine.ask('engine.state', {})).plugins.filter(({ name }) => name === 'http_status')).toHaveLength(1);
  });
});
