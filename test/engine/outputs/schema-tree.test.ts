import { describe, expect, it, vi } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Field } from '../../../engine/message/types.ts';
import { SchemaSamples, schemaTree } from '../../../engine/outputs/schema-tree.ts';
import { text, number, message, counted } from './schema-fixtures.ts';

describe('schemaTree', () => {
  it('adds samples and representations, and joins sources', () => {
    const samples = new SchemaSamples();
    const fields: Field[] = [
      { ...text('e', 'one'), representation: 'ipv4' },
      { name: 'c', valueType: 4, values: [true] },
    ];
    samples.observe(batchOf([message('L1', '', '', ...fields)]));
    const one = counted([
      message('', 'T2', ''),
      message('L1', '', '', ...fields),
      message('L1', 'T1', '1', number('a')),
      message('L1', 'T1', '1'),
    ]);
    const tree = schemaTree([one, one], [samples]);
    expect(tree.map(({ name, count }) => [name, count])).toEqual([
      ['L1', 6],
      ['', 2],
    ]);
    expect(tree[0]?.types.map(({ name, count }) => [name, count])).toEqual([
      ['T1', 4],
      ['', 2],
    ]);
    expect(tree[0]?.types[0]?.versions[0]?.fields).toMatchObject([{ name: 'a', type: 'number', count: 2, optional: true }]);
    expect(tree[0]?.types[1]?.versions[0]?.fields).toEqual([
      { name: 'e', type: 'string', representation: 'ipv4', count: 2, optional: false, samples: ['one'] },
      { name: 'c', type: 'bool', representation: null, count: 2, optional: false, samples: ['true'] },
    ]);
  });

  it('looks at the samples of each source once, however many fields and sources there are', () => {
    const looks = vi.spyOn(SchemaSamples.prototype, 'fields', 'get');
    const sources = Array.from({ length: 50 }, (_, i) => {
      const samples = new SchemaSamples();
      const messages = [message(`L${i}`, '', '', text('a', `${i}`), text('b', 'x'))];
      samples.observe(batchOf(messages));
      return { samples, counts: counted(messages) };
    });
    const tree = schemaTree(
      sources.map(({ counts }) => counts),
      sources.map(({ samples }) => samples),
    );
    expect(tree.map(({ types }) => types[0]?.versions[0]?.fields[0]?.samples).sort()).toEqual(sources.map((_, i) => [`${i}`]).sort());
    expect(looks).toHaveBeenCalledTimes(sources.length);
  });
});
