import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecoderParameter } from '../../../../../engine/api/types.ts';
import { configOf, formOf } from '../../../../../renderer/src/lib/sources/decoder-form.ts';

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
    [{ factor: '1e999' }, 'factor', 'factor is a number.'],
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
        ...{ rows: fc.nat().map((n) => n + 2), share: fc.constantFrom(0, 1e-7, 0.25, 1), unit: fc.constantFrom('s', 'ms') },
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
