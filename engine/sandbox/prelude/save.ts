import { announce } from './block.ts';
import { apply, getDescriptor, isArray, objectKeys, prototypeOf, stringify, toText } from './intrinsics.ts';
import type { OwnVariable } from './own-variables.ts';

/**
 * The saved form of a value. A script's state is text and bytes: a line of JSON with its global variables (name, value, name, value …), and one
 * for each object that they reach, which preserves shared objects and cycles. It is written and read line by line, because a script may use its
 * whole memory limit, and a second copy of everything would not fit. A value is itself in JSON, or a list: ['n', text] a number that JSON does
 * not have, ['b', text] a BigInt, ['u'] undefined, ['o', i] object i, and in lists ['h'] a hole. In a checkpoint the first line begins with the
 * own variables of scripts, which are not global: their number, and then key, value, key, value …
 */
export type SavedValue = null | boolean | number | string | readonly [string, ...(string | number)[]];

/** The saved form of an object: the name of the form, and the contents in order, keys before their values. */
export type SavedObject =
  | readonly ['object' | 'bare' | 'map', ...SavedValue[]]
  | readonly ['list' | 'set', ...SavedValue[]]
  | readonly ['array', length: number, ...SavedValue[]]
  | readonly ['date', SavedValue]
  | readonly ['buffer', at: number, length: number]
  | readonly ['view', type: string, buffer: number, at: number, length: number]
  | readonly ['class', name: string, saved: SavedValue];

/** Name of the global variable with the version of a script's state; it is not saved as a variable. */
export const VERSION = '_PRESERVATION_VERSION';

/** An object that makes its own saved form. Its class has a static `fromSaved` that makes the object again. */
interface Saveable {
  toSaved(): unknown;
}

interface ViewType {
  readonly name: string;
  readonly prototype: object;
  new (buffer: ArrayBuffer, at: number, length: number): ArrayBufferView;
}

/** Types of views that can be saved. */
export const viewTypes: readonly ViewType[] = [
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float16Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];

type Method = (...args: never[]) => unknown;
type Getter = () => unknown;

const getter = (object: object, name: string | symbol): Getter => getDescriptor(object, name)?.get as Getter;

/** Built-in getters and methods, saved so that properties that the script defines cannot replace them. */
const typedArrays = prototypeOf(Uint8Array.prototype) as object;
const typedArrayTag = getter(typedArrays, Symbol.toStringTag);
const typedArrayParts = [getter(typedArrays, 'buffer'), getter(typedArrays, 'byteOffset'), getter(typedArrays, 'length')] as const;
const views = DataView.prototype;
const dataViewParts = [getter(views, 'buffer'), getter(views, 'byteOffset'), getter(views, 'byteLength')] as const;
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const mapSize = getter(Map.prototype, 'size');
const setSize = getter(Set.prototype, 'size');
const methodOf = (object: object, name: string): Method => getDescriptor(object, name)?.value as Method;
const dateTime = methodOf(Date.prototype, 'getTime');
const mapForEach = methodOf(Map.prototype, 'forEach');
const setForEach = methodOf(Set.prototype, 'forEach');

const SKIPPED: unique symbol = Symbol('skipped');

/** Names of the script's global variables. */
export function globalNames(): string[] {
  return objectKeys(globalThis).filter((name) => name !== VERSION && name !== 'gc');
}

/**
 * Describes the script's state as text; the block must be taken next. Throws when a map has an object as a key, which cannot be saved.
 * @param own for a checkpoint: own variables of scripts, which are saved before the global ones
 */
export function saveState(own: readonly OwnVariable[] | null = null): string {
  return new Saver().save(own);
}

/** Builds a long text from many pieces. */
class TextBuilder {
  readonly #whole: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length < 4096) return;
    this.#whole.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  take(): string {
    this.#whole.push(this.#pieces.join(''));
    return this.#whole.join('');
  }
}

/** Length above which an array is saved by its existing elements and their indexes. */
const LONG_ARRAY = 1 << 21;

class Saver {
  readonly #numbers = new Map<object, number>();
  readonly #pending: object[] = [];
  readonly #forms: Form[] = [];
  readonly #text = new TextBuilder();

  save(own: readonly OwnVariable[] | null): string {
    const names = globalNames();
    this.#text.add(own === null ? '["globals"' : `["own",${own.length}`);
    for (let i = 0; own !== null && i < own.length; i++) {
      const { key, get } = own[i] as OwnVariable;
      const value = this.#value(get());
      this.#item(stringify(key));
      this.#item(value === SKIPPED ? '["h"]' : value);
    }
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      // Variables that cannot be assigned to cannot be restored.
      if (getDescriptor(globalThis, name)?.writable === true) this.#property(globalThis, name);
    }
    // Objects are described one after the other, not one inside the other: a long list must not exhaust the stack.
    for (let i = 0; i < this.#pending.length; i++) {
      const form = this.#forms[i] as Form;
      this.#text.add(`]\n["${form}"`);
      this.#describe(this.#pending[i] as object, form);
    }
    this.#text.add(']');
    return this.#text.take();
  }

  #item(text: string): void {
    this.#text.add(`,${text}`);
  }

  /** Adds a property, with its name, without running code of the script: accessors are left out. */
  #property(object: object, key: string): void {
    const value = this.#valueOf(object, key);
    if (value === SKIPPED) return;
    this.#item(stringify(key));
    this.#item(value);
  }

  #valueOf(object: object, key: string | number): string | typeof SKIPPED {
    const descriptor = getDescriptor(object, key);
    return descriptor === undefined || descriptor.get !== undefined || descriptor.set !== undefined
      ? SKIPPED
      : this.#value(descriptor.value);
  }

  #value(value: unknown): string | typeof SKIPPED {
    switch (typeof value) {
      case 'string':
        return stringify(value);
      case 'boolean':
        return toText(value);
      case 'number':
        return value - value === 0 && !(value === 0 && 1 / value < 0) ? toText(value) : `["n","${value === 0 ? '-0' : toText(value)}"]`;
      case 'bigint':
        return `["b","${toText(value)}"]`;
      case 'undefined':
        return '["u"]';
      case 'object':
        return value === null ? 'null' : this.#object(value);
      default:
        return SKIPPED;
    }
  }

  #object(object: object): string | typeof SKIPPED {
    const number = this.#numberOf(object);
    return number < 0 ? SKIPPED : `["o",${number}]`;
  }

  /** The object's number; -1 when it is not kept. */
  #numberOf(object: object): number {
    const known = this.#numbers.get(object);
    if (known !== undefined) return known;
    const form = formOf(object);
    if (form === null) return -1;
    const number = this.#pending.length;
    this.#numbers.set(object, number);
    this.#pending.push(object);
    this.#forms.push(form);
    return number;
  }

  #describe(object: object, form: Form): void {
    switch (form) {
      case 'list':
        return this.#list(object as unknown[]);
      case 'array':
        return this.#elements(object as unknown[]);
      case 'map':
        return this.#entries(object as Map<unknown, unknown>);
      case 'set':
        return this.#members(object as Set<unknown>);
      case 'date':
        return this.#item(this.#value(apply(dateTime, object, [])) as string);
      case 'buffer':
        return this.#buffer(object as ArrayBuffer);
      case 'view':
        return this.#view(object as ArrayBufferView);
      case 'class':
        this.#item(stringify(classNameOf(object)));
        return this.#item(this.#savedForm(object as Saveable));
      default:
        return this.#properties(object);
    }
  }

  #properties(object: object): void {
    const keys = objectKeys(object);
    for (let i = 0; i < keys.length; i++) this.#property(object, keys[i] as string);
  }

  #list(array: unknown[]): void {
    const { length } = array;
    for (let i = 0; i < length; i++) {
      const value = this.#valueOf(array, i);
      this.#item(value === SKIPPED ? '["h"]' : value);
    }
  }

  /** Adds the existing elements with their indexes. */
  #elements(array: unknown[]): void {
    this.#item(toText(array.length));
    const keys = objectKeys(array);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const index = +key;
      const isIndex = toText(index) === key && index >= 0 && index < array.length;
      const value = isIndex ? this.#valueOf(array, key) : SKIPPED;
      if (value === SKIPPED) continue;
      this.#item(key);
      this.#item(value);
    }
  }

  #entries(map: Map<unknown, unknown>): void {
    const add = (value: unknown, key: unknown): void => {
      if (typeof key === 'object' && key !== null) throw new TypeError('a map with a key that is an object cannot be kept');
      const savedKey = this.#value(key);
      const saved = this.#value(value);
      if (savedKey === SKIPPED || saved === SKIPPED) return;
      this.#item(savedKey);
      this.#item(saved);
    };
    apply(mapForEach, map, [add]);
  }

  #members(set: Set<unknown>): void {
    const add = (value: unknown): void => {
      const saved = this.#value(value);
      if (saved !== SKIPPED) this.#item(saved);
    };
    apply(setForEach, set, [add]);
  }

  /** A detached buffer is saved as an empty one. */
  #buffer(buffer: ArrayBuffer): void {
    const length = sizeOfBuffer(buffer);
    this.#item(toText(announce(length === 0 ? new Uint8Array(0) : new Uint8Array(buffer), length)));
    this.#item(toText(length));
  }

  #view(view: ArrayBufferView): void {
    const { type, buffer, at, length } = partsOfView(view);
    this.#item(`"${type}",${this.#numberOf(buffer)},${at},${length}`);
  }

  #savedForm(object: Saveable): string {
    const saved = this.#value(object.toSaved());
    if (saved === SKIPPED) throw new TypeError(`the saved form of a ${classNameOf(object)} cannot be kept`);
    return saved;
  }
}

/** Form in which an object is saved: a plain object, an array, a built-in container, bytes, or an object with `toSaved`. */
export type Form = SavedObject[0];

/** The form of an object; null: it is left out without an error, such as an object of a class that extends a container. */
export function formOf(object: object): Form | null {
  const prototype = prototypeOf(object) as unknown;
  switch (prototype) {
    case null:
      return 'bare';
    case Object.prototype:
      return 'object';
    case Array.prototype:
      return isArray(object) ? (object.length > LONG_ARRAY ? 'array' : 'list') : null;
    case Map.prototype:
      return answers(mapSize, object) ? 'map' : null;
    case Set.prototype:
      return answers(setSize, object) ? 'set' : null;
    case Date.prototype:
      return answers(dateTime, object) ? 'date' : null;
    case ArrayBuffer.prototype:
      return answers(bufferLength, object) ? 'buffer' : null;
  }
  if (viewTypeOf(object) !== null) return 'view';
  return isSaveable(object) ? 'class' : null;
}

/** Whether an object is a genuine built-in one: their methods throw for other objects. */
function answers(method: () => unknown, object: object): boolean {
  try {
    apply(method, object, []);
    return true;
  } catch {
    return false;
  }
}

/** The name of a view's type; null when the object is no view, or of a subclass. */
function viewTypeOf(object: object): string | null {
  const name = apply(typedArrayTag, object, []) as string | undefined;
  const prototype = prototypeOf(object) as unknown;
  for (let i = 0; i < viewTypes.length; i++) {
    const type = viewTypes[i] as (typeof viewTypes)[number];
    if (type.prototype !== prototype) continue;
    return type.name === name || (name === undefined && answers(dataViewParts[2], object)) ? type.name : null;
  }
  return null;
}

export function sizeOfBuffer(buffer: ArrayBuffer): number {
  return apply(bufferLength, buffer, []) as number;
}

/** The type of a view, its buffer, and its offset and length in that. */
export function partsOfView(view: ArrayBufferView): { type: string; buffer: ArrayBuffer; at: number; length: number } {
  const type = viewTypeOf(view) as string;
  const [buffer, offset, length] = type === 'DataView' ? dataViewParts : typedArrayParts;
  const at = apply(offset, view, []) as number;
  return { type, buffer: apply(buffer, view, []) as ArrayBuffer, at, length: apply(length, view, []) as number };
}

/** Whether an object can save itself: it has a method `toSaved`, and a class with a name by which that is found again. */
export function isSaveable(object: object): object is Saveable {
  return typeof (object as { toSaved?: unknown }).toSaved === 'function' && classNameOf(object) !== '';
}

export function classNameOf(object: object): string {
  const { constructor } = object as { constructor?: { name?: unknown } };
  return typeof constructor === 'function' && typeof constructor.name === 'string' ? constructor.name : '';
}
