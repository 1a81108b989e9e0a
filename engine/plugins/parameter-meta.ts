import { hint } from '../base/text/suggest.ts';
import { boundsText, fits, leastOf } from './bounds.ts';
import { PARAMETER_TYPES, type ParameterMeta } from './types.ts';

/**
 * Checks the parameters that a script's meta declares.
 * @throws {TypeError} that names the parameter and the mistake in its declaration
 */
export function checkDeclarations(parameters: Readonly<Record<string, unknown>>): Record<string, ParameterMeta> {
  const checked: Record<string, ParameterMeta> = {};
  for (const [name, declared] of Object.entries(parameters)) {
    if (!isParameter(declared))
      throw new TypeError(`parameter ${name} needs a summary and a type, one of ${PARAMETER_TYPES.join(', ')}${meant(declared)}`);
    const wrong = wrongBounds(declared);
    if (wrong !== null) throw new TypeError(`parameter ${name}: ${wrong}`);
    checked[name] = withTypedDefault(name, declared);
  }
  return checked;
}

/** A question about the type that was meant by a mistyped one. */
function meant(declared: unknown): string {
  const type = typeof declared === 'object' && declared !== null && 'type' in declared ? declared.type : undefined;
  return typeof type === 'string' && !PARAMETER_TYPES.some((known) => known === type) ? hint(type, PARAMETER_TYPES) : '';
}

function isParameter(value: unknown): value is ParameterMeta {
  if (typeof value !== 'object' || value === null) return false;
  const { type, summary, required, default: usual } = value as Partial<Record<keyof ParameterMeta, unknown>>;
  if (typeof summary !== 'string' || !PARAMETER_TYPES.some((known) => known === type)) return false;
  if (required !== undefined && typeof required !== 'boolean') return false;
  return usual === undefined || ['string', 'number', 'boolean'].includes(typeof usual);
}

/** Describes what is wrong with the bounds, or returns null. They come from a script, so their types are not known before. */
function wrongBounds(declared: ParameterMeta): string | null {
  const { type, minimum, maximum, values, format }: Partial<Record<keyof ParameterMeta, unknown>> = declared;
  const isText = type === 'string';
  const isNumber = !isText && type !== 'bool';
  for (const [name, bound] of Object.entries({ minimum, maximum })) {
    if (bound !== undefined && (!isNumber || !Number.isFinite(bound))) return `${name} must be a number, of a parameter that is one`;
  }
  if (values !== undefined && !(isText && isTexts(values))) return 'values must be a list of texts, of a parameter that is one';
  if (format !== undefined && !(isText && (format === 'regexp' || format === 'files')))
    return 'format can only be regexp, of a parameter that is a text';
  if ((leastOf(declared) ?? -Infinity) > (declared.maximum ?? Infinity)) return 'no number is within its bounds';
  return null;
}

const isTexts = (values: unknown): boolean =>
  Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string');

/** Checks that the default is within the bounds. The default of a text may be written as a number. */
function withTypedDefault(name: string, declared: ParameterMeta): ParameterMeta {
  const { type, default: usual } = declared;
  if (usual === undefined) return declared;
  const value = type === 'string' && typeof usual === 'number' ? String(usual) : usual;
  if (!fits(declared, value))
    throw new TypeError(`the default of parameter ${name} must be ${boundsText(declared)}, not ${JSON.stringify(usual)}`);
  return { ...declared, default: value };
}
