import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecoderParameter } from '../../engine/api/types.ts';
import { configOf, formOf } from '../../renderer/src/lib/decoder-form.ts';
import { checkListen, portHint } from '../../renderer/src/views/settings/listen-form.ts';
import { workspaceName, splitPath } from '../../renderer/src/lib/names.ts';
import { isArrayOf, isNumber, isOneOf, isShape, isString, orNull, readSaved, writeSaved } from '../../renderer/src/lib/saved.ts';

describe('the form of a decoder', () => {
  const parameters: DecoderParameter[] = [
    { name: 'log_format', type: 'string', summary: '', default: null, required: true },
    { name: 'keep', type: 'bool', summary: '', default: false, required: false },
    { name: 'cut', type: 'uint', summary: '', default: 10, required: false },
    { name: 'factor', type: 'number', summary: '', default: null, required: false },
    { name: 'rows', type: 'uint', summary: '', default: 1440, required: false, minimum: 2 },
    { name: 'share', type: 'number', summary: '', default: 0.5, required: false, minimum: 0, maximum: 1 },
    { name: 'most', type: 'int', summary: '', default: 0, required: false, maximum: 9 },
    { name: 'unit', type: 'string', summary: '', default: 's', required: false, values: ['s', 'ms'] },
  ];

  it('leaves out what the decoder takes anyway', () => {
    const form = formOf(parameters, { log_format: '$status' });
    expect(form).toEqual({ log_format: '$status', keep: false, cut: '', factor: '', rows: '', share: '', most: '', unit: '' });
    expect(configOf(parameters, form)).toEqual({ ok: true, config: { log_format: '$status' } });
  });

  it.each([
    [{ log_format: '' }, 'log_format', 'log_format is needed.'],
    [{ cut: '-1' }, 'cut', 'cut is a whole number that is not negative.'],
    [{ factor: '1,5' }, 'factor', 'factor is a number.'],
    [{ rows: '1' }, 'rows', 'rows is a whole number from 2 on.'],
    [{ rows: 'x' }, 'rows', 'rows is a whole number from 2 on.'],
    [{ share: '1.5' }, 'share', 'share is a number from 0 to 1.'],
    [{ most: '10' }, 'most', 'most is a whole number up to 9.'],
    [{ unit: 'h' }, 'unit', 'unit is one of s, ms.'],
  ])('%j: says what is wrong with %s', (values, parameter, text) => {
    expect(configOf(parameters, { ...formOf(parameters, { log_format: 'x' }), ...values })).toEqual({ ok: false, parameter, text });
  });

  it('reads back what it was filled with', () => {
    const config = fc.record(
      {
        ...{ log_format: fc.string({ minLength: 1 }), keep: fc.constant(true), cut: fc.nat(), factor: fc.integer().map((n) => n / 4) },
        ...{ rows: fc.nat().map((n) => n + 2), share: fc.constantFrom(0, 0.25, 1), unit: fc.constantFrom('s', 'ms') },
      },
      { requiredKeys: ['log_format'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(config, (values) => {
        expect(configOf(parameters, formOf(parameters, values))).toEqual({ ok: true, config: values });
      }),
    );
  });
});

describe('checkListen', () => {
  it.each([
    ['127.0.0.1', '5514', true],
    [' :: ', ' 514 ', true],
    ['', '5514', 'host'],
    ['a b', '5514', 'host'],
    ['127.0.0.1', '', 'port'],
    ['127.0.0.1', '0', 'port'],
    ['127.0.0.1', '65536', 'port'],
    ['127.0.0.1', '5.5', 'port'],
    ['127.0.0.1', '0x10', 'port'],
  ])('%j %j: %s', (host, port, expected) => {
    const check = checkListen({ protocol: 'udp', host, port });
    expect(check.ok ? true : check.field).toBe(expected);
    if (check.ok) expect(check.listen).toEqual({ protocol: 'udp', host: host.trim(), port: Number(port) });
  });

  it('warns of ports that may need rights', () => {
    expect(portHint('514', 'linux')).not.toBe('');
    expect(portHint('514', 'win32')).toBe('');
    expect(portHint('5514', 'linux')).toBe('');
  });
});

describe('names', () => {
  it.each([
    ['/home/a/.config/sluicebox/workspace.toml', 'Workspace'],
    ['C:\\logs\\gateway.toml', 'gateway'],
    ['', 'Workspace'],
  ])('workspace %j is %s', (path, name) => expect(workspaceName(path)).toBe(name));

  it.each([
    ['/var/log/a.log', { name: 'a.log', folder: '/var/log' }],
    ['C:\\x\\b.log', { name: 'b.log', folder: 'C:\\x' }],
    ['c.log', { name: 'c.log', folder: '' }],
  ])('splits %j', (path, parts) => expect(splitPath(path)).toEqual(parts));
});

describe('what is saved', () => {
  function store(initial: Record<string, string> = {}) {
    const values = new Map(Object.entries(initial));
    return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) };
  }

  it('comes back', () => {
    const kept = store();
    writeSaved(kept, 'pane', { size: 3 });
    expect(readSaved(kept, 'pane', { size: 1 }, isShape({ size: isNumber }))).toEqual({ size: 3 });
  });

  it.each(['not json', '{"size":"3"}', 'null', '[]', '{}'])('is not taken when it is %j', (text) => {
    expect(readSaved(store({ 'sluicebox.pane': text }), 'pane', { size: 1 }, isShape({ size: isNumber }))).toEqual({ size: 1 });
  });

  it('does no harm when the store refuses', () => {
    const refusing = {
      getItem: (): string => {
        throw new Error('no');
      },
      setItem: (): void => {
        throw new Error('full');
      },
    };
    expect(() => writeSaved(refusing, 'a', 1)).not.toThrow();
    expect(readSaved(refusing, 'a', 5, isNumber)).toBe(5);
  });

  it.each([
    [isOneOf('a', 'b'), 'b', true],
    [isOneOf('a', 'b'), 'c', false],
    [isArrayOf(isString), ['x'], true],
    [isArrayOf(isString), ['x', 1], false],
    [orNull(isNumber), null, true],
    [orNull(isNumber), NaN, false],
  ])('check %#', (check, value, expected) => expect((check as (value: unknown) => boolean)(value)).toBe(expected));
});
