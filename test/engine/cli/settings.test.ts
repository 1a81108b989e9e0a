import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFolder, parseArguments, parseChoice, parseCount, parseModules, parseSettings } from '../../../engine/cli/settings.ts';

describe('arguments', () => {
  const OPTIONS = { follow: { type: 'boolean' }, output: { type: 'string', short: 'o' } } as const;

  it('are options and others in their order', () => {
    const { values, positionals } = parseArguments(['a', '-o', 'x', 'b', '--', '--follow'], OPTIONS);
    expect([{ ...values }, positionals]).toEqual([{ output: 'x' }, ['a', 'b', '--follow']]);
  });

  it.each([
    ['--folow', /^there is no option --folow.*--follow/],
    ['--halp', /^there is no option --halp.*--help/],
    ['--xyzzy', /^there is no option --xyzzy\. Put arguments that begin with a dash after --\.$/],
    ['-q', /^there is no option -q\. Put/],
  ])('there is no %s', (arg, text) => expect(() => parseArguments(['a', arg], OPTIONS)).toThrow(text));
});

describe('settings', () => {
  it('are names and values', () => expect(parseSettings(['a=1', ' b =x=y', 'c='])).toEqual({ a: '1', b: 'x=y', c: '' }));

  it.each([
    [['a'], "-s takes key=value, not 'a'"],
    [['=1'], "-s takes key=value, not '=1'"],
    [['a=1', 'a =2'], '-s a is given twice'],
  ])('%j', (settings, text) => expect(() => parseSettings(settings)).toThrow(text));
});

it('a choice is one of some words', () => {
  expect(parseChoice('--format', 'json', ['text', 'json'])).toBe('json');
  expect(() => parseChoice('--format', 'xml', ['text', 'json'])).toThrow("--format must be one of text, json, not 'xml'");
});

describe('a count', () => {
  it.each([
    ['0', 0],
    ['007', 7],
    ['999999999999999', 999_999_999_999_999],
  ])('%s', (text, count) => expect(parseCount('-n', text)).toBe(count));

  it.each(['', '-1', '1.5', '1e3', ' 1', '1000000000000000'])('%j is none', (text) => {
    expect(() => parseCount('-n', text)).toThrow(`-n must be a whole number from 0 on, not '${text}'`);
  });
});

it('folders of modules are there', () => {
  const here = import.meta.dirname;
  expect(parseModules({ 'module-directory': [`${here};;${here}/..`, '.'] })).toEqual([here, resolve(here, '..'), process.cwd()]);
  expect(() => parseModules({ 'module-directory': [`${here};${here}/none`] })).toThrow(
    `--module-directory: there is no folder ${here}/none`,
  );
  expect([isFolder(here), isFolder(import.meta.filename), isFolder(`${here}/none`)]).toEqual([true, false, false]);
});
