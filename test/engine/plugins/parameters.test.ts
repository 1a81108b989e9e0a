import { describe, expect, it } from 'vitest';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { checkParameters, ParameterError, parseParameters, startParameters } from '../../../engine/plugins/parameters.ts';
import type { ParameterMeta, PluginScript } from '../../../engine/plugins/types.ts';

function script(name: string, parameters: Readonly<Record<string, ParameterMeta>>): PluginScript {
  return { name, path: `/${name}.ts`, meta: { name, kind: 'filter', summary: '', stateless: false, parameters } };
}

const plugin = script('p', {
  text: { type: 'string', summary: 'A text.' },
  flag: { type: 'bool', summary: '' },
  whole: { type: 'int', summary: '' },
  count: { type: 'uint', summary: '' },
  ratio: { type: 'number', summary: '' },
});
const needy = script('needy', {
  must: { type: 'string', summary: 'What is needed', required: true },
  size: { type: 'uint', summary: 'How much', required: true },
});
const bound = script('bound', {
  rows: { type: 'uint', summary: '', minimum: 2 },
  share: { type: 'number', summary: '', minimum: 0, maximum: 1 },
  shift: { type: 'int', summary: '', maximum: -1 },
  most: { type: 'uint', summary: '', maximum: 9 },
  kind: { type: 'string', summary: '', values: ['sum', 'max'] },
  pattern: { type: 'string', summary: '', format: 'regexp' },
});
const usual = script('usual', {
  rows: { type: 'uint', summary: '', default: 5, minimum: 2 },
  flag: { type: 'bool', summary: '', default: true },
  empty: { type: 'string', summary: '', default: '' },
  none: { type: 'string', summary: '' },
});
const free: PluginScript = { name: 'free', path: '/f.js', meta: null };

describe('parameters of a command line', () => {
  it('take the types that the script declares', () => {
    const texts = { text: '12', flag: 'TRUE', whole: '-3', count: '1_000', ratio: '2.5e-1', tz: 'UTC' };
    expect(parseParameters(plugin, texts)).toEqual({ text: '12', flag: true, whole: -3, count: 1000, ratio: 0.25, tz: 'UTC' });
  });

  it('are guessed for a script that declares nothing', () => {
    expect(parseParameters(free, { a: '1', b: 'true', c: 'x', d: '', e: '0x10' })).toEqual({ a: 1, b: true, c: 'x', d: '', e: '0x10' });
  });

  it.each<[PluginScript, Record<string, string>, string]>([
    [plugin, { flag: '1' }, 'flag must be true or false, not "1"'],
    [plugin, { whole: '1.5' }, 'whole must be a whole number, not 1.5'],
    [plugin, { count: '-1' }, 'count must be a whole number from 0 on, not -1'],
    [plugin, { ratio: 'many' }, 'ratio must be a number, not "many"'],
    [plugin, { raito: '1' }, 'unknown parameter raito; did you mean ratio?'],
    [plugin, { constructor: '1' }, 'unknown parameter constructor'],
    [needy, { size: '1' }, 'needy: missing parameter: must (What is needed)'],
    [bound, { rows: '1' }, 'bound: parameter rows must be a whole number from 2 on, not 1'],
  ])('of $name refuse %o', (target, texts, text) => expect(() => parseParameters(target, texts)).toThrow(text));
});

describe('parameters of a configuration', () => {
  it('are checked against their types', () => {
    expect(() => checkParameters(plugin, { count: '5' })).toThrow('count must be a whole number from 0 on, not "5"');
    expect(checkParameters(plugin, { count: 5 })).toEqual({ count: 5 });
    const batch = findPlugin('filter', 'influx_batch');
    expect(checkParameters(batch, { flush_count: 100, decimal_precision: 2 })).toEqual({ flush_count: '100', decimal_precision: '2' });
    expect(() => checkParameters(batch, { flush_count: true })).toThrow('flush_count must be a text, not true');
  });

  it.each([{ rows: 2 }, { share: 0 }, { share: 1 }, { shift: -1 }, { most: 0 }, { most: 9 }, { kind: 'max' }, { pattern: '^(a|b)' }])(
    'take %o',
    (config) => expect(checkParameters(bound, config)).toEqual(config),
  );

  it.each([
    [{ rows: 1 }, 'rows must be a whole number from 2 on, not 1'],
    [{ share: -0.1 }, 'share must be a number from 0 to 1, not -0.1'],
    [{ share: 1.1 }, 'share must be a number from 0 to 1, not 1.1'],
    [{ share: NaN }, 'share must be a number from 0 to 1, not null'],
    [{ shift: 0 }, 'shift must be a whole number up to -1, not 0'],
    [{ most: 10 }, 'most must be a whole number from 0 to 9, not 10'],
    [{ kind: 'min' }, 'kind must be one of sum, max, not "min"'],
    [{ kind: '' }, 'kind must be one of sum, max, not ""'],
    [{ pattern: '(' }, 'pattern must be a regular expression, not "("'],
  ])('refuse %o', (config, text) => expect(() => checkParameters(bound, config)).toThrow(`bound: parameter ${text}`));

  it('have an empty text for none where one is required', () => {
    expect(() => checkParameters(needy, { must: '' })).toThrow('needy: missing parameters: must (What is needed), size (How much)');
  });

  it('are refused all at once', () => {
    const problems = (target: PluginScript, config: Record<string, string | number>): unknown => {
      try {
        return checkParameters(target, config);
      } catch (error) {
        return error instanceof ParameterError ? error.problems.map(({ sentence }) => `${target.name}: ${sentence}`) : error;
      }
    };
    expect(problems(bound, { rows: 1, share: 2, rwos: 3, kind: 'sum', tz: 'Moon/Base' })).toEqual([
      'bound: parameter rows must be a whole number from 2 on, not 1',
      'bound: parameter share must be a number from 0 to 1, not 2',
      'bound: unknown parameter rwos; did you mean rows?',
      'bound: there is no time zone Moon/Base. Give UTC, Local, an offset such as +02:00, or a name such as Europe/Berlin',
    ]);
    expect(problems(needy, { size: -1 })).toEqual([
      'needy: parameter size must be a whole number from 0 on, not -1',
      'needy: missing parameter: must (What is needed)',
    ]);
  });
});

describe('parameters at the start', () => {
  it('are those that are set, and the defaults of the others', () => {
    expect(startParameters(usual, {})).toEqual({ rows: 5, flag: true, empty: '' });
    expect(startParameters(usual, { rows: 7, flag: false, none: 'x' })).toEqual({ rows: 7, flag: false, empty: '', none: 'x' });
  });

  it('are refused as those of a configuration are', () => {
    expect(() => startParameters(usual, { rows: 1 })).toThrow('rows must be a whole number from 2 on');
  });

  it('stay what they are for a script that declares nothing', () => {
    expect(startParameters(free, { a: 1, b: '' })).toEqual({ a: 1, b: '' });
  });

  it('have the zone of this machine by its name, also as a default', () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(startParameters(script('z', { tz: { type: 'string', summary: '', default: 'Local' } }), {})).toEqual({ tz: timeZone });
  });
});
