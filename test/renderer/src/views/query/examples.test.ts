import { describe, expect, it, test } from 'vitest';
import type { QueryTable } from '../../../../../engine/api/types.ts';
import { examplesFor } from '../../../../../renderer/src/views/query/examples.ts';
import { identifier } from '../../../../../renderer/src/lib/query/names.ts';

describe('examples', () => {
  const column = (name: string, type = 'VARCHAR'): QueryTable['columns'][number] => ({ name, type, variable: null });
  it('are made of the columns that there are', () => {
    const tables = [
      {
        name: 'access-1',
        sources: [1],
        rows: 5,
        columns: [column('Timestamp', 'TIMESTAMP_NS'), column('remote_addr'), column('status', 'BIGINT')],
      },
      { name: 'messages', sources: [1], rows: 5, columns: [] },
    ];
    const found = examplesFor(tables);
    expect(found.map(({ title }) => title)).toEqual([
      'Count by status',
      'Records per hour',
      'Top ten of remote_addr',
      'Failures per hour',
      'The last records',
    ]);
    expect(found[0]?.sql).toBe('SELECT status, count(*) AS records\nFROM "access-1"\nGROUP BY 1\nORDER BY 2 DESC');
    expect(examplesFor([])).toEqual([]);
  });

  test.each([
    ['status', 'status'],
    ['user-agent', '"user-agent"'],
    ['table', '"table"'],
    ['a"b', '"a""b"'],
    ['größe', '"größe"'],
  ])('name %s as %s', (name, text) => expect(identifier(name)).toBe(text));
});
