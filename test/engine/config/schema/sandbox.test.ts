import { describe, expect, it } from 'vitest';
import { OTHERS_HAVE, othersHave, sandboxDecoder, sandboxEncoder, sandboxFilter, zone } from '../../../../engine/config/schema/sandbox.ts';

const issues = (schema: typeof sandboxDecoder | typeof sandboxFilter | typeof sandboxEncoder, value: object): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('sections of scripts', () => {
  it('have what is not said', () => {
    expect(sandboxDecoder.parse({ type: 'SandboxDecoder', plugin: 'syslog' })).toMatchObject({
      script_type: 'js',
      preserve_data: false,
      profile: false,
      config: {},
    });
    expect(sandboxFilter.parse({ type: 'SandboxFilter', filename: 'a.js', message_matcher: 'TRUE' })).toMatchObject({
      ticker_interval: 0,
      can_exit: true,
      timer_event_on_shutdown: false,
    });
  });

  it.each([{}, { plugin: 'a', filename: 'b.js' }])('need one script: %j', (value) => {
    const expected = [': needs either plugin, the name of a bundled script, or filename, the path of your own'];
    expect(issues(sandboxDecoder, { type: 'SandboxDecoder', ...value })).toEqual(expected);
    expect(issues(sandboxFilter, { type: 'SandboxFilter', message_matcher: 'TRUE', ...value })).toEqual(expected);
    expect(issues(sandboxEncoder, { type: 'SandboxEncoder', ...value })).toEqual(expected);
  });

  it('tell all that is wrong at once', () => {
    const found = issues(sandboxDecoder, { type: 'SandboxDecoder', memory_limit: -1, config: { tz: 'Nowhere' } });
    expect(found).toHaveLength(3);
    expect(found.some((text) => text.startsWith('config.tz: must be UTC, Local'))).toBe(true);
  });

  it('take what has no effect on decoders and encoders', () => {
    expect(OTHERS_HAVE).toEqual(Object.keys(othersHave));
    expect(issues(sandboxEncoder, { type: 'SandboxEncoder', plugin: 'a', ticker_interval: 5, can_exit: false })).toEqual([]);
    expect(issues(sandboxEncoder, { type: 'SandboxEncoder', plugin: 'a', unknown: 5 })).toHaveLength(1);
  });
});

it.each<[config: unknown, isRight: boolean]>([
  [undefined, true],
  [{}, true],
  [{ tz: 'UTC' }, true],
  [{ tz: 'Europe/Berlin' }, true],
  [{ tz: 'Nowhere' }, false],
  ['x', true],
])('the zone of %j is right: %s', (config, isRight) => expect(zone({ config })).toBe(isRight));
