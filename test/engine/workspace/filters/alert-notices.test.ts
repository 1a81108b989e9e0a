import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { FilterSection } from '../../../../engine/api/plugin-types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { until } from '../../../until.ts';
import { Engine } from '../engine-fixture.ts';

const SERVICES = join(import.meta.dirname, '../../../../resources/samples/services.log');
const SINCE = Date.UTC(2026, 2, 17, 14, 45);
const TIMEOUT = 600;

const engine = new Engine(undefined, startSandboxes({ hosts: 1 }));
afterAll(() => engine.workspace.stop());

it('an alert has the time of its tick, also of a filter that reads what was there before it, and says what the filter shows', async () => {
  const source = await engine.open(SERVICES);
  await until(async () => (await engine.source(source))?.state === 'following', 'the end of the file');
  const filter: FilterSection = {
    name: 'silent',
    script: 'heartbeat',
    bundled: true,
    matcher: 'Type !~ /^svc/',
    ticker: 60,
    config: { message_variable: 'Fields[programname]', timeout: TIMEOUT },
    inputs: null,
    limits: { memory: 8_388_608, instructions: 1_000_000, output: 64_512 },
  };
  await engine.ask('filter.set', { filter, keepState: true });
  const alert = await until(
    async () => (await engine.ask('notice.list', {})).find(({ code, text }) => code === 'alert' && text.includes('shop-mailer')),
    'the alert about the program that went silent',
  );
  expect(alert.text).toBe('no records of programname shop-mailer since 2026-03-17T14:45:00.000Z');
  expect(alert.about).toMatchObject({ source, plugin: 'silent', shows: 'items', end: null });
  const after = (alert.about?.time ?? NaN) - SINCE;
  expect(after).toBeGreaterThanOrEqual(TIMEOUT * 1000);
  expect(after).toBeLessThan((TIMEOUT + 120) * 1000);
});
