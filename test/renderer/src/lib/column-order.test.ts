import { describe, expect, it } from 'vitest';
import {
  columnsOf,
  moveColumn,
  putField,
  usualFields,
  type Column,
  type TableLayout,
} from '../../../../renderer/src/lib/table/table-layout.ts';

const FACTS = { sources: 2, severities: 'many', time: 'full', type: null, texts: true } as const;
const LAYOUT: TableLayout = { fields: usualFields(['status', 'uri']), widths: {}, hidden: ['type'] };
const keys = (columns: readonly Column[]): string[] => columns.map(({ key }) => key);
const shown = (layout: TableLayout): Column[] => columnsOf(layout, FACTS);
const move = (layout: TableLayout, key: string, place: number): TableLayout => moveColumn(layout, shown(layout), key, place);

describe('the order of columns', () => {
  it('is that of the user', () => {
    expect(keys(shown(LAYOUT))).toEqual(['time', 'severity', 'source', 'Fields[status]', 'Fields[uri]', 'text']);
    const first = move(LAYOUT, 'Fields[status]', 0);
    expect(keys(shown(first))).toEqual(['Fields[status]', 'time', 'severity', 'source', 'Fields[uri]', 'text']);
    expect(keys(shown(move(first, 'Fields[status]', 6)))).toEqual(['time', 'severity', 'source', 'Fields[uri]', 'text', 'Fields[status]']);
    expect(keys(shown(move(LAYOUT, 'time', 2)))).toEqual(['severity', 'time', 'source', 'Fields[status]', 'Fields[uri]', 'text']);
  });

  it('stays when a column is dropped on its own place', () => {
    for (const place of [1, 2]) expect(keys(shown(move(LAYOUT, 'severity', place)))).toEqual(keys(shown(LAYOUT)));
    expect(move(LAYOUT, 'nothing', 1)).toBe(LAYOUT);
  });

  it('has a place for columns that come: behind the one that is usually before them', () => {
    const moved = move(LAYOUT, 'Fields[uri]', 0);
    expect(keys(shown(putField({ ...moved, hidden: [] }, 'agent')))).toEqual([
      'Fields[uri]',
      'Fields[agent]',
      'time',
      'severity',
      'source',
      'type',
      'Fields[status]',
      'text',
    ]);
  });

  it('keeps the places of columns that are not shown', () => {
    const moved = move({ ...LAYOUT, hidden: [] }, 'type', 0);
    const without = move({ ...moved, hidden: ['type'] }, 'text', 0);
    expect(keys(shown(without))).toEqual(['text', 'time', 'severity', 'source', 'Fields[status]', 'Fields[uri]']);
    expect(keys(shown({ ...without, hidden: [] }))).toEqual([
      'type',
      'text',
      'time',
      'severity',
      'source',
      'Fields[status]',
      'Fields[uri]',
    ]);
    const folded = { ...move(move({ ...LAYOUT, hidden: [] }, 'text', 0), 'text', 7), hidden: ['severity'] };
    const later = { ...move(folded, 'source', 0), hidden: [] };
    expect(keys(shown(later))).toEqual(['source', 'time', 'severity', 'type', 'Fields[status]', 'Fields[uri]', 'text']);
  });
});
