import { apply, define, getDescriptor, prototypeOf } from './intrinsics.ts';

const { ownKeys } = Reflect;
const sourceOf = Function.prototype.toString;
/** Source texts that the functions of the interface show of themselves. */
const texts = new WeakMap<object, string>();

function hide(value: unknown): void {
  if (typeof value !== 'function' || texts.has(value)) return;
  const name = getDescriptor(value, 'name')?.value as unknown;
  texts.set(value, `function ${typeof name === 'string' ? name : ''}() { [native code] }`);
  const { prototype } = value as { readonly prototype?: unknown };
  if (typeof prototype !== 'object' || prototype === null) return;
  for (const key of ownKeys(prototype)) {
    const property = getDescriptor(prototype, key);
    for (const part of [property?.value as unknown, property?.get, property?.set]) hide(part);
  }
}

/**
 * Gives functions, and the methods of classes among them, the text of built-in ones: their source is none of a script's business. Nothing else about
 * them changes. Called once, before the built-in objects are frozen.
 */
export function hideSources(functions: readonly unknown[]): void {
  const { toString } = {
    toString(this: unknown): string {
      return (typeof this === 'function' ? texts.get(this) : undefined) ?? (apply(sourceOf, this as object, []) as string);
    },
  };
  const functionPrototype = prototypeOf(hide) as object;
  define(functionPrototype, 'toString', { value: toString, writable: true, configurable: true, enumerable: false });
  for (const given of [...functions, toString, getDescriptor(functionPrototype, 'constructor')?.value]) hide(given);
}
