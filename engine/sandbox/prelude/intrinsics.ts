/**
 * Built-in functions that the prelude uses, saved before any script runs. Built-in objects are frozen afterwards, so that scripts cannot change
 * the methods that the prelude calls; objects that scripts commonly assign to (Object.prototype, the error prototypes) stay writable, but take
 * no new properties, so that no array index or `toJSON` can be added there.
 */

export const { trunc, min, random } = Math;
export const isArray = Array.isArray;
export const stringify = JSON.stringify;
export const parseJson = JSON.parse;
export const objectKeys = Object.keys;
export const hasOwn = Object.hasOwn;
export const toText = String;
export const millisecondsNow = Date.now;
const { defineProperty, getOwnPropertyNames, getPrototypeOf, getOwnPropertyDescriptor, freeze, preventExtensions, seal } = Object;
export const define = defineProperty;
export const prototypeOf = getPrototypeOf;
export const getDescriptor = getOwnPropertyDescriptor;
export const setPrototypeOf = Object.setPrototypeOf;
const { ownKeys } = Reflect;
export const apply = Reflect.apply as (method: (...args: never[]) => unknown, object: object, args: readonly unknown[]) => unknown;

/** Globals that are removed: for threads, work that outlives a call, code whose steps are not counted, and effects of garbage collection. */
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

/** Constructors that are frozen with their prototypes: scripts do not usually assign properties that would be inherited from these. */
const FROZEN = [
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

/**
 * Keeps the methods of lists, as `freeze` does those of other objects. With a frozen prototype V8 appends by `list[i] = value` twenty times as slowly, because
 * elements might be read-only there. `constructor` stays writable, or `slice`, `map` and others would be as slow: the prelude gives them nothing but lists of
 * values that the script has.
 */
function fixLists(prototype: object): void {
  seal(prototype);
  for (const key of ownKeys(prototype)) if (key !== 'constructor') defineProperty(prototype, key, { writable: false });
  // Something that is found in it as a prototype makes it fast again.
  void ({ __proto__: prototype } as unknown as unknown[]).at;
}

function freezeBoth(constructor: { prototype: object }): void {
  freeze(constructor.prototype);
  freeze(constructor);
}

/** Prevents code from strings: replaces the four function constructors, also where functions inherit them. */
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

/** Scripts get at the memory of a text that is shared with them, and must get no more from it: what its prototype makes is in no limit of memory. */
function disarmSharedMemory(): void {
  const { prototype } = SharedArrayBuffer;
  for (const key of ownKeys(prototype)) if (key !== 'byteLength') Reflect.deleteProperty(prototype, key);
  freeze(prototype);
}

/**
 * Removes the globals that scripts must not have and freezes the built-in objects. Called once, before the script.
 * @param beforeFreezing changes built-in objects, which nothing can do afterwards
 */
export function lockDown(scope: Record<string, unknown>, beforeFreezing: () => void): void {
  removeFunctionConstructors(scope);
  beforeFreezing();
  delete (Array as { fromAsync?: unknown }).fromAsync;
  disarmSharedMemory();
  for (const name of REMOVED) delete scope[name];
  // The host has saved this function to collect garbage; V8 does not let it be deleted.
  scope['gc'] = undefined;
  for (const name of FROZEN) {
    const constructor = scope[name] as { prototype: object } | undefined;
    if (constructor !== undefined) freezeBoth(constructor);
  }
  fixLists(Array.prototype);
  freeze(Array);
  const typedArray = getPrototypeOf(Uint8Array) as { prototype: object };
  freezeBoth(typedArray);
  for (const iterator of [[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator]()]) {
    freeze(getPrototypeOf(iterator) as object);
  }
  freeze(getPrototypeOf(getPrototypeOf([][Symbol.iterator]()) as object) as object);
  // The prototype stays unfrozen, because V8's fast paths of split, match and replace need it unchanged. The prelude does not rely on it.
  freeze(RegExp);
  for (const name of ['Math', 'JSON', 'Reflect']) freeze(scope[name] as object);
  freeze(getPrototypeOf(lockDown) as object);
  preventExtensions(Object.prototype);
  for (const name of ownKeys(scope) as string[]) {
    // No function, and V8 makes it when it is looked at.
    if (name === 'Temporal') continue;
    const value = getOwnPropertyDescriptor(scope, name)?.value as unknown;
    if (typeof value !== 'function') continue;
    const { prototype } = value as { prototype?: object };
    if (prototype !== undefined && getOwnPropertyNames(prototype).includes('message')) preventExtensions(prototype);
  }
}
