import { expect, it } from 'vitest';
import { DEFAULT_TEMPLATES, defaultOutput, type FilterTemplate } from '../../../../engine/workspace/file/templates.ts';

const [status, clients] = DEFAULT_TEMPLATES as readonly [FilterTemplate, FilterTemplate];

it('default filters make graphs or lists', () => {
  expect(DEFAULT_TEMPLATES.map((template) => [template.name, defaultOutput(template)])).toEqual([
    ['http_status', 'graph'],
    ['frequent_clients', 'items'],
    ['frequent_requests', 'items'],
    ['frequent_programs', 'items'],
  ]);
});

it.each<[string, FilterTemplate]>([
  ['name', { ...status, name: 'other' }],
  ['script', { ...status, script: 'frequent_items' }],
  ['matcher', { ...status, matcher: 'TRUE' }],
  ['parameters', { ...clients, config: { ...clients.config, reset_days: 1 } }],
  ['ticker', { ...clients, ticker: 60 }],
  ['signer', { ...clients, signer: 'a' }],
])('one with another %s is none', (_what, template) => expect(defaultOutput(template)).toBeNull());

it.each<[string, FilterTemplate]>([
  ['the sources for which it was stopped', { ...status, stoppedFor: ['a'] }],
  ['its limits', { ...status, limits: {} }],
])('%s do not matter', (_what, template) => expect(defaultOutput(template)).toBe('graph'));
