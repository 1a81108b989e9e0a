import type { DecoderParameter } from '../../../../engine/api/types.ts';

export type ConfigValues = Record<string, string | number | boolean>;

/** The values of the fields of a form, by the names of the parameters; an empty text stands for the decoder's default. */
export type FormValues = Readonly<Record<string, string | boolean>>;

export type FormCheck =
  { readonly ok: true; readonly config: ConfigValues } | { readonly ok: false; readonly parameter: string; readonly text: string };

/** The fields for parameters, filled from a configuration. */
export function formOf(parameters: readonly DecoderParameter[], config: Readonly<ConfigValues>): FormValues {
  return Object.fromEntries(
    parameters.map(({ name, type, default: usual }): [string, string | boolean] => {
      const value = config[name];
      if (type === 'bool') return [name, (value ?? usual) === true];
      return [name, value === undefined ? '' : String(value)];
    }),
  );
}

/** The configuration of a form, without values that are defaults of the decoder. */
export function configOf(parameters: readonly DecoderParameter[], form: FormValues): FormCheck {
  const config: ConfigValues = {};
  for (const parameter of parameters) {
    const { name, required } = parameter;
    const value = form[name] ?? '';
    if (typeof value === 'boolean') {
      if (value !== (parameter.default === true)) config[name] = value;
    } else if (value === '') {
      if (required) return { ok: false, parameter: name, text: `${name} is needed.` };
    } else {
      const read = readValue(parameter, value);
      if (read === null) return { ok: false, parameter: name, text: `${name} is ${boundsOf(parameter)}.` };
      config[name] = read;
    }
  }
  return { ok: true, config };
}

/** The type of a parameter and its bounds, for a sentence. */
function boundsOf(parameter: DecoderParameter): string {
  const { type, values, minimum, maximum } = parameter;
  if (values !== undefined) return `one of ${values.join(', ')}`;
  const unbound = minimum === undefined && maximum === undefined;
  return unbound ? `a ${WORDS[type]}` : `a ${type === 'number' ? 'number' : 'whole number'} ${rangeOf(parameter)}`;
}

/** The bounds of a number; empty: it has none. */
export function rangeOf({ minimum, maximum }: DecoderParameter): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  return minimum !== undefined ? `from ${minimum} on` : maximum !== undefined ? `up to ${maximum}` : '';
}

const WORDS: Readonly<Record<DecoderParameter['type'], string>> = {
  string: 'text',
  bool: 'yes or no',
  int: 'whole number',
  uint: 'whole number that is not negative',
  number: 'number',
};

/** The value of a text, or null when it is no valid value of the parameter. */
function readValue(parameter: DecoderParameter, text: string): string | number | null {
  const { type, values, minimum = -Infinity, maximum = Infinity } = parameter;
  if (type === 'string' || type === 'bool') return values?.includes(text) === false ? null : text;
  const number = readNumber(type, text);
  return number !== null && number >= minimum && number <= maximum ? number : null;
}

/** A number as someone types it, and as a very small or large one is written. */
export const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

function readNumber(type: 'int' | 'uint' | 'number', text: string): number | null {
  const digits = text.trim();
  const form = type === 'int' ? /^-?\d+$/ : type === 'uint' ? /^\d+$/ : NUMBER;
  return form.test(digits) && Number.isFinite(Number(digits)) ? Number(digits) : null;
}
