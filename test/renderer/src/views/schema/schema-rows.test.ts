import { describe, expect, it } from 'vitest';
import { schemaRows, treeMove } from '../../../../../renderer/src/views/schema/schema-rows.ts';
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

  it('opens a closed line before it goes in', () => {
    expect(treeMove(schemaRows(SCHEMA, new Set(['l:edge'])), 'l:edge', 'open')).toEqual({ toggle: 'l:edge' });
  });
});
