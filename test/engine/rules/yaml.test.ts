import { describe, expect, it } from 'vitest';
import { parseRules } from '../../../engine/rules/folder.ts';

const problemsOf = (text: string): string[] => parseRules(text, 'x.yml').problems.map(({ line, text: why }) => `${line}: ${why}`);

describe('files of YAML', () => {
  it('stay within bounds, whatever the YAML', () => {
    const bomb = `a: &a [${'x, '.repeat(20)}x]\n${[...'bcdefgh'].map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i] ?? ''}, `.repeat(20)}x]`).join('\n')}\n`;
    expect(problemsOf(bomb)).toEqual([expect.stringMatching(/has more than 200000 values, with its aliases written out/)]);
    expect(problemsOf(`a: ${'['.repeat(100_000)}`)).toEqual(['1: it is nested deeper than 40 levels']);
    expect(problemsOf('- '.repeat(5000))).toEqual(['1: it is nested deeper than 40 levels']);
    expect(problemsOf(Array.from({ length: 60 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'))).toEqual([
      expect.stringMatching(/nested deeper/),
    ]);
    expect(problemsOf('a: &a [*a]')).not.toEqual([]);
    expect(problemsOf(`a: ${'x'.repeat(3 << 20)}`)).toEqual(['1: it has more than 2 MiB']);
  });
});
