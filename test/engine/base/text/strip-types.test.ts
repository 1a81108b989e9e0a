import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { stripTypes, TypesError, typesCompilerIsFaulty } from '../../../../engine/base/text/strip-types.ts';

const errorOf = (text: string): TypesError => {
  try {
    stripTypes(text);
  } catch (error) {
    if (error instanceof TypesError) return error;
  }
  throw new Error('its types were removed');
};

describe('types', () => {
  it('become blanks', () => {
    expect(stripTypes('const x: number = 1;')).toBe('const x         = 1;');
  });

  it.each([
    ['const a: = 1;', expect.stringContaining('Unexpected token'), { line: 1, column: 10 }],
    ['const a = 1;\n\n  enum A {\n  B,\n}\nconst c = a;\n', 'TypeScript enum is not supported in strip-only mode', { line: 3, column: 3 }],
    ['enum A {\n  B,\n}', 'TypeScript enum is not supported in strip-only mode', { line: 1, column: 1 }],
    ['\nenum A { B }', 'TypeScript enum is not supported in strip-only mode', { line: 2, column: 1 }],
  ])('that cannot be removed have a place: %j', (text, message, place) => {
    expect(errorOf(text)).toMatchObject({ name: 'TypesError', message, place });
  });

  it.each([
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
    ['(class { x = ', '})'],
    ['`${', '}`'],
  ])('stay in a text that is nested too deeply, and are removed from the next one: %s', (open, close) => {
    const tooDeep = (depth: number): string => `const a =\n  ${open.repeat(depth)}1${close.repeat(depth)};`;
    expect(errorOf(tooDeep(100_000))).toMatchObject({
      message: 'more than 200 brackets are open here: write what is in them apart, or the script as .js',
      place: { line: 2 },
    });
    expect(() => stripTypes(tooDeep(90))).not.toThrow(/open here/);
    expect(stripTypes('let b: A;')).toBe('let b   ;');
    expect(typesCompilerIsFaulty()).toBe(false);
  });

  it('are known not to be removed any more when the compiler has failed', () => {
    const module = new URL('../../../../engine/base/text/strip-types.ts', import.meta.url);
    const script = `
      import { stripTypes, typesCompilerIsFaulty } from ${JSON.stringify(module.href)};
      try { stripTypes('if (1) '.repeat(100_000) + ';') } catch (error) { console.log(error.message, error.place, typesCompilerIsFaulty()) }`;
    const said = execFileSync(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script], {
      encoding: 'utf8',
    });
    expect(said).toBe("Node's compiler of types fails at it, most likely since it is nested too deeply: write it as .js null true\n");
  });
});
