import { describe, expect, it } from 'vitest';
import type { SchemaLogger } from '../../../../../engine/api/types.ts';
import { schemaRows, treeMove } from '../../../../../renderer/src/views/overview/schema-rows.ts';
import { SCHEMA } from '../../lib/schema-fixture.ts';

describe('the tree', () => {
  const rows = schemaRows(SCHEMA, new Set());
  const labels = (closed: string[]): string[] => schemaRows(SCHEMA, new Set(closed)).map(({ label }) => label);

  it('lists loggers, types, versions and fields', () => {
    expect(labels([])).toEqual(['edge', 'web', 'status', 'tls', '(no logger)', '(no type)', 'version 2', 'status']);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it('hides what is closed', () => expect(labels(['l:edge'])).toEqual(['edge', '(no logger)', '(no type)', 'version 2', 'status']));

  it.each([
    ['l:edge', 'next', { to: 'l:edge/t:web' }],
    ['l:edge', 'previous', { to: 'l:edge' }],
    ['l:edge', 'close', { toggle: 'l:edge' }],
    ['l:edge', 'open', { to: 'l:edge/t:web' }],
    ['l:edge/t:web/f:status', 'close', { to: 'l:edge/t:web' }],
    ['l:edge/t:web/f:status', 'open', null],
    ['l:edge', 'last', { to: 'l:/t:/v:2/f:status' }],
    [null, 'next', { to: 'l:edge' }],
    ['l:edge', 'first', { to: 'l:edge' }],
  ] as const)('from %s, %s', (current, step, move) => expect(treeMove(rows, current, step)).toEqual(move));

  it('tells names apart, whatever stands in them', () => {
    const branch = (name: string, types: string[]): SchemaLogger => ({
      name,
      count: 1,
      types: types.map((type) => ({ name: type, count: 1, versions: [{ name: 'v:1', count: 1, fields: [] }] })),
    });
    const odd = schemaRows([branch('a/t:b', []), branch('a', ['b', 'b/v:v:1']), branch('mail:smtp', [])], new Set());
    expect(odd.map(({ name }) => name)).toEqual(['a/t:b', 'a', 'b', 'v:1', 'b/v:v:1', 'v:1', 'mail:smtp']);
    expect(new Set(odd.map(({ key }) => key)).size).toBe(odd.length);
  });

  it('opens a closed line before it goes in', () => {
    expect(treeMove(schemaRows(SCHEMA, new Set(['l:edge'])), 'l:edge', 'open')).toEqual({ toggle: 'l:edge' });
  });
});
