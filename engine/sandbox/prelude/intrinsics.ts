/**
 * What the prelude needs of the language, taken before any script runs. Built-in objects are frozen afterwards, so that plain method calls in the
 * prelude stay what they are; objects that scripts commonly assign to (Object.prototype, the error prototypes) stay writable, but take no new
 * properties, so that no array index or `toJSON` can be planted there.
 */

export const { trunc, min, random } = Math;
export const isArray = Array.isArray;
export const stringify = JSON.stringify;
export const parseJson = JSON.parse;
export const objectKeys = Object.keys;
export const hasOwn = Object.hasOwn;
export const toText = String;
export const millisecondsNow = Date.now;
const { defineProperty, getOwnPropertyNames, getPrototypeOf, getOwnPropertyDescriptor, freeze, preventExtensions } = Object;
export const define = defineProperty;
export const prototypeOf = getPrototypeOf;
export const getDescriptor = getOwnPropertyDescriptor;
export const setPrototypeOf = Object.setPrototypeOf;
const { ownKeys } = Reflect;
export const apply = Reflect.apply as (method: (...args: never[]) => unknown, object: object, args: readonly unknown[]) => unknown;

/** What a script must not have: other threads, unobservable time, work that outlives a call, and code that nobody counted. */
const REMOVED = [
  'Atomics',
  'AsyncDisposableStack',
  'FinalizationRegistry',
  'Promise',
  'SharedArrayBuffer',
  'ShadowRealm',
  'WeakRef',
  'WebAssembly',
  'console',
  'eval',
];

/** Frozen whole: nobody inherits from these and assigns. */
const FROZEN = [
  'Array',
  'ArrayBuffer',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Date',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Map',
  'Number',
  'Set',
  'String',
  'Symbol',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap',
  'WeakSet',
];

function freezeBoth(constructor: { prototype: object }): void {
  freeze(constructor.prototype);
  freeze(constructor);
}

/** No code from strings: the four function constructors are out of reach of every function. */
function removeFunctionConstructors(scope: Record<string, unknown>): void {
  // prettier-ignore
  const samples = [function () {}, function* () {}, async function () {}, async function* () {}];
  const refuse = function Function(): never {
    throw new EvalError('code from strings is not available');
  };
  for (const sample of samples) {
    const prototype = getPrototypeOf(sample) as object;
    defineProperty(prototype, 'constructor', { value: refuse, writable: false, configurable: false, enumerable: false });
  }
  defineProperty(refuse, 'prototype', { value: getPrototypeOf(refuse), writable: false, configurable: false });
  defineProperty(scope, 'Function', { value: refuse, writable: true, configurable: true, enumerable: false });
  freeze(refuse);
}

/** Removes what scripts must not have and makes the rest safe to build on. Called once, before the script. */
export function lockDown(scope: Record<string, unknown>): void {
  removeFunctionConstructors(scope);
  delete (Array as { fromAsync?: unknown }).fromAsync;
  for (const name of REMOVED) delete scope[name];
  // The host's way to collect garbage, which it has taken before; V8 does not let it be deleted.
  scope['gc'] = undefined;
  for (const name of FROZEN) {
    const constructor = scope[name] as { prototype: object } | undefined;
    if (constructor !== undefined) freezeBoth(constructor);
  }
  const typedArray = getPrototypeOf(Uint8Array) as { prototype: object };
  freezeBoth(typedArray);
  for (const iterator of [[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator]()]) {
    freeze(getPrototypeOf(iterator) as object);
  }
  freeze(getPrototypeOf(getPrototypeOf([][Symbol.iterator]()) as object) as object);
  // Its prototype stays as it is: V8's fast ways to split, match and replace are for that alone. The prelude's expressions do not use it.
  freeze(RegExp);
  for (const name of ['Math', 'JSON', 'Reflect']) freeze(scope[name] as object);
  freeze(getPrototypeOf(lockDown) as object);
  preventExtensions(Object.prototype);
  for (const name of ownKeys(scope) as string[]) {
    const value = getOwnPropertyDescriptor(scope, name)?.value as unknown;
    if (typeof value !== 'function') continue;
    const { prototype } = value as { prototype?: object };
    if (prototype !== undefined && getOwnPropertyNames(prototype).includes('message')) preventExtensions(prototype);
  }
}
