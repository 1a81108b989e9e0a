import { expect, test } from 'vitest';
import { findPlugin } from '../../engine/plugins/catalog.ts';
import { checkParameters } from '../../engine/plugins/parameters.ts';

const plugin = findPlugin('decoder', 'nginx_error');

test.each(['UTC', '+02:00', '-0530', 'Europe/Berlin', 'America/Los_Angeles'])('the zone %s goes in as it is', (tz) => {
  expect(checkParameters(plugin, { tz })).toEqual({ tz });
});

test('Local goes in by its name', () => {
  expect(checkParameters(plugin, { tz: 'Local' })).toEqual({ tz: new Intl.DateTimeFormat().resolvedOptions().timeZone });
});

test.each(['Mars/Base', '', 'utc+2', '+2'])('the zone "%s" is refused before the decoder starts', (tz) => {
  expect(() => checkParameters(plugin, { tz })).toThrow(/nginx_error: there is no time zone/);
});
