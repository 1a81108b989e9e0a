import { announce } from './block.ts';
import { getDescriptor, isArray, objectKeys, prototypeOf, stringify, toText } from './intrinsics.ts';

/**
 * The state of a script as text and bytes: its global variables and what they reach, with shared objects and cycles as they are. A value is itself in
 * JSON, or a list: ['n', text] a number that JSON has not, ['b', text] a BigInt, ['u'] undefined, ['o', i] object i.
 */
export type SavedValue = null | boolean | number | string | readonly [string, ...(string | number)[]];

/** An object: its form and what it holds. */
export type SavedObject =
  | readonly ['object' | 'bare', [string, SavedValue][]]
  | readonly ['array', number, [number, SavedValue][]]
  | readonly ['map', [SavedValue, SavedValue][]]
  | readonly ['set', SavedValue[]]
  | readonly ['date', SavedValue]
  | readonly ['buffer', at: number, length: number]
  | readonly ['view', type: string, buffer: number, at: number, length: number]
  | readonly ['class', name: string, saved: SavedValue];

export interface SavedState {
  readonly globals: [string, SavedValue][];
  readonly objects: SavedObject[];
}

/** The version of a script's state; itself it is not kept. */
export const VERSION = '_PRESERVATION_VERSION';

/** An object that knows its own saved form. Its class has a static `fromSaved` for the way back. */
interface Saveable {
  toSaved(): unknown;
}

/** Views that can be kept, by name. */
export const viewTypes: readonly { readonly name: string; new (buffer: ArrayBuffer, at: number, length: number): ArrayBufferView }[] = [
  ...[Uint8Array, Int8Array, Uint8ClampedArray, Uint16Array, Int16Array, Uint32Array, Int32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView],
];

const SKIPPED: unique symbol = Symbol('skipped');

/** Names of the script's global variables. */
export function globalNames(): string[] {
  return objectKeys(globalThis).filter((name) => name !== VERSION && name !== 'gc');
}

/** Describes the script's state; the block must be taken next. A map with a key that is an object cannot be kept: that is an error. */
export function saveState(): string {
  return stringify(new Saver().save());
}

class Saver {
  readonly #numbers = new Map<object, number>();
  readonly #pending: object[] = [];
  readonly #objects: SavedObject[] = [];

  save(): SavedState {
    const globals: [string, SavedValue][] = [];
    const names = globalNames();
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      const value = this.#property(globalThis, name);
      if (value !== SKIPPED) globals.push([name, value]);
    }
    // Objects are described one after the other, not one inside the other: a long list must not exhaust the stack.
    for (let i = 0; i < this.#pending.length; i++) this.#objects.push(this.#describe(this.#pending[i] as object));
    return { globals, objects: this.#objects };
  }

  /** A property without running code of the script: accessors are left out. */
  #property(object: object, key: string): SavedValue | typeof SKIPPED {
    const descriptor = getDescriptor(object, key);
    return descriptor === undefined || descriptor.get !== undefined || descriptor.set !== undefined
      ? SKIPPED
      : this.#value(descriptor.value);
  }

  #value(value: unknown): SavedValue | typeof SKIPPED {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return value - value === 0 && !(value === 0 && 1 / value < 0) ? value : ['n', value === 0 ? '-0' : toText(value)];
      case 'bigint':
        return ['b', toText(value)];
      case 'undefined':
        return ['u'];
      case 'object':
        return value === null ? null : this.#object(value);
      default:
        return SKIPPED;
    }
  }

  #object(object: object): SavedValue | typeof SKIPPED {
    const known = this.#numbers.get(object);
    if (known !== undefined) return ['o', known];
    if (!isKept(object)) return SKIPPED;
    const number = this.#pending.length;
    this.#numbers.set(object, number);
    this.#pending.push(object);
    return ['o', number];
  }

  #describe(object: object): SavedObject {
    if (isArray(object)) return ['array', object.length, this.#elements(object)];
    if (object instanceof Map) return ['map', this.#entries(object)];
    if (object instanceof Set) return ['set', this.#members(object)];
    if (object instanceof Date) return ['date', this.#value(object.getTime()) as SavedValue];
    if (object instanceof ArrayBuffer) return ['buffer', announce(new Uint8Array(object), object.byteLength), object.byteLength];
    const view = viewTypeOf(object);
    if (view !== null) return this.#view(object as ArrayBufferView, view);
    if (isSaveable(object)) return ['class', classNameOf(object), this.#savedForm(object)];
    return [prototypeOf(object) === null ? 'bare' : 'object', this.#properties(object)];
  }

  #properties(object: object): [string, SavedValue][] {
    const kept: [string, SavedValue][] = [];
    const keys = objectKeys(object);
    for (let i = 0; i < keys.length; i++) {
      const value = this.#property(object, keys[i] as string);
      if (value !== SKIPPED) kept.push([keys[i] as string, value]);
    }
    return kept;
  }

  /** The elements that are there, by index. */
  #elements(array: unknown[]): [number, SavedValue][] {
    const kept: [number, SavedValue][] = [];
    const keys = objectKeys(array);
    for (let i = 0; i < keys.length; i++) {
      const index = +(keys[i] as string);
      const value = index >= 0 ? this.#property(array, keys[i] as string) : SKIPPED;
      if (value !== SKIPPED) kept.push([index, value]);
    }
    return kept;
  }

  #entries(map: Map<unknown, unknown>): [SavedValue, SavedValue][] {
    const kept: [SavedValue, SavedValue][] = [];
    map.forEach((value, key) => {
      if (typeof key === 'object' && key !== null) throw new TypeError('a map with a key that is an object cannot be kept');
      const savedKey = this.#value(key);
      const saved = this.#value(value);
      if (savedKey !== SKIPPED && saved !== SKIPPED) kept.push([savedKey, saved]);
    });
    return kept;
  }

  #members(set: Set<unknown>): SavedValue[] {
    const kept: SavedValue[] = [];
    set.forEach((value) => {
      const saved = this.#value(value);
      if (saved !== SKIPPED) kept.push(saved);
    });
    return kept;
  }

  #view(view: ArrayBufferView, type: string): SavedObject {
    const [, buffer] = this.#object(view.buffer) as ['o', number];
    const length = view instanceof DataView ? view.byteLength : (view as Uint8Array).length;
    return ['view', type, buffer, view.byteOffset, length];
  }

  #savedForm(object: Saveable): SavedValue {
    const saved = this.#value(object.toSaved());
    if (saved === SKIPPED) throw new TypeError(`the saved form of a ${classNameOf(object)} cannot be kept`);
    return saved;
  }
}

/** Plain objects, arrays, the built-in containers, bytes, and objects that save themselves; others are left out without a word. */
function isKept(object: object): boolean {
  if (isArray(object) || object instanceof Map || object instanceof Set || object instanceof Date) return true;
  if (object instanceof ArrayBuffer || viewTypeOf(object) !== null || isSaveable(object)) return true;
  const prototype = prototypeOf(object) as unknown;
  return prototype === null || prototype === Object.prototype;
}

function viewTypeOf(object: object): string | null {
  for (let i = 0; i < viewTypes.length; i++) {
    const type = viewTypes[i] as (typeof viewTypes)[number];
    if (object instanceof type) return type.name;
  }
  return null;
}

/** Whether an object can be saved by itself and found again: by a method, and a class of a name. */
export function isSaveable(object: object): object is Saveable {
  return typeof (object as { toSaved?: unknown }).toSaved === 'function' && classNameOf(object) !== '';
}

export function classNameOf(object: object): string {
  const { constructor } = object as { constructor?: { name?: unknown } };
  return typeof constructor === 'function' && typeof constructor.name === 'string' ? constructor.name : '';
}
