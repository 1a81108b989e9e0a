import { describe, expect, it } from 'vitest';
import {
  boolConfig,
  fieldConfig,
  fieldsConfig,
  intConfig,
  numberConfig,
  patternConfig,
  requiredString,
  requiredUint,
  stringConfig,
  uintConfig,
  variableConfig,
} from '../../../plugins/modules/config.ts';
import type { Value } from '../support/message.ts';
import { surround } from '../support/script_globals.ts';

/** What is read from a parameter p of this value, or why not. */
function read(value: Value | undefined, config: (name: string) => unknown): unknown {
  surround({ config: value === undefined ? {} : { p: value } });
  try {
    return config('p');
  } catch (error) {
    return String(error);
  }
}

describe('parameters', () => {
  it.each<[name: string, config: (name: string) => unknown, value: Value | undefined, result: unknown]>([
    ['string', stringConfig, 'x', 'x'],
    ['string', stringConfig, 7, 'TypeError: p must be a string'],
    ['string', stringConfig, undefined, 'TypeError: p must be set'],
    ['string or null', (name) => stringConfig(name, null), undefined, null],
    ['string or y', (name) => stringConfig(name, 'y'), undefined, 'y'],
    ['required string', requiredString, '', 'TypeError: p must be set'],
    ['required string', requiredString, 'x', 'x'],
    ['bool', boolConfig, false, false],
    ['bool', (name) => boolConfig(name, true), undefined, true],
    ['bool', boolConfig, 'true', 'TypeError: p must be true or false'],
    ['uint', uintConfig, 0, 0],
    ['uint', uintConfig, 1.5, 'TypeError: p must be a whole number of at least 0'],
    ['uint', (name) => uintConfig(name, 7, 2), undefined, 7],
    ['uint', (name) => uintConfig(name, 7, 2), 1, 'TypeError: p must be a whole number of at least 2'],
    ['required uint', (name) => requiredUint(name, 1), undefined, 'TypeError: p must be set'],
    ['required uint', (name) => requiredUint(name, 1), 1, 1],
    ['int', intConfig, -7, -7],
    ['int', intConfig, 0.5, 'TypeError: p must be a whole number'],
    ['int or null', (name) => intConfig(name, null), undefined, null],
    ['number', numberConfig, -0.5, -0.5],
    ['number', numberConfig, 'x', 'TypeError: p must be a number'],
    ['number', (name) => numberConfig(name, 1, 0, 1), 1.5, 'TypeError: p must be a number from 0 to 1'],
    ['number', (name) => numberConfig(name, 1, 0, 1), undefined, 1],
    ['variable', variableConfig, 'Hostname', 'Hostname'],
    ['variable', variableConfig, 'Fields[a b]', 'Fields[a b]'],
    ['variable or null', (name) => variableConfig(name, null), undefined, null],
    ['field', fieldConfig, 'a', 'a'],
    ['field', fieldConfig, 'Fields[a]', 'TypeError: p: write a, not Fields[a]: it names fields'],
    ['field', fieldConfig, '', 'TypeError: p names no field'],
    ['fields', fieldsConfig, ' a  b ', ['a', 'b']],
    ['fields', fieldsConfig, 'a Fields[b]', 'TypeError: p: write b, not Fields[b]: it names fields'],
    ['pattern', patternConfig, '^a', /^a/],
    ['pattern', patternConfig, '(', 'TypeError: p is not a regular expression: ('],
  ])('%s %#', (_, config, value, result) => expect(read(value, config)).toEqual(result));

  it('names the variables that there are', () => {
    expect(read('hostname', variableConfig)).toMatch(
      /^TypeError: p is not a variable of a message: "hostname"; write Fields\[name\], or one of Type, /,
    );
    expect(read('Fields[]', variableConfig)).toMatch(/^TypeError/);
  });
});
