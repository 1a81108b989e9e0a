import { describe, expect, it } from 'vitest';
import { parseWeighting } from '../../../engine/outputs/items.ts';

describe('parseWeighting', () => {
  it('sorts by weight and gives shares', () => {
    expect(parseWeighting('Fields[ip]\tWeight\nb\t1\na\t3\n')).toEqual({
      variable: 'Fields[ip]',
      items: [
        { item: 'a', weight: 3, share: 0.75 },
        { item: 'b', weight: 1, share: 0.25 },
      ],
    });
  });

  it('keeps items that hold tabs and line breaks', () => {
    expect(parseWeighting('Payload\tWeight\na\tb\t2\nc\nd\t1\n')?.items.map(({ item }) => item)).toEqual(['a\tb', 'c\nd']);
  });

  it('reads a table without items and refuses what is none', () => {
    expect(parseWeighting('Type\tWeight\n')).toEqual({ variable: 'Type', items: [] });
    expect(parseWeighting('a\tb\n1\t2\n')).toBeNull();
  });
});
