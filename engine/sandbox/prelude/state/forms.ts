import { isModule } from '../environment.ts';
import { apply, getDescriptor, isArray, prototypeOf } from '../intrinsics.ts';

/**
 * Form in which an object is saved: a plain object, one without a prototype, the exports of a module, an array (a long one by its indexes), a built-in
 * container, bytes, an object with `toSaved`, or any other object of a class.
 */
export type Form = 'object' | 'bare' | 'module' | 'list' | 'array' | 'map' | 'set' | 'date' | 'buffer' | 'view' | 'class' | 'instance';

/** An object that makes its own saved form. Its class has a static `fromSaved` that makes the object again. */
export interface Saveable {
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
const methodOf = (object: object, name: string): Method => getDescriptor(object, name)?.value as Method;

/** Built-in getters and methods, saved so that properties that the script defines cannot replace them. */
const typedArrays = prototypeOf(Uint8Array.prototype) as object;
const typedArrayTag = getter(typedArrays, Symbol.toStringTag);
const typedArrayParts = [getter(typedArrays, 'buffer'), getter(typedArrays, 'byteOffset'), getter(typedArrays, 'length')] as const;
const views = DataView.prototype;
const dataViewParts = [getter(views, 'buffer'), getter(views, 'byteOffset'), getter(views, 'byteLength')] as const;
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const mapSize = getter(Map.prototype, 'size');
const setSize = getter(Set.prototype, 'size');
const dateTime = methodOf(Date.prototype, 'getTime');
const functionText = methodOf(Function.prototype, 'toString');
const { isExtensible } = Object;

export const timeOfDate = (date: object): number => apply(dateTime, date, []) as number;
const mapForEach = methodOf(Map.prototype, 'forEach');
const setForEach = methodOf(Set.prototype, 'forEach');

export function eachEntry(map: object, visit: (value: unknown, key: unknown) => void): void {
  apply(mapForEach, map, [visit]);
}

export function eachMember(set: object, visit: (value: unknown) => void): void {
  apply(setForEach, set, [visit]);
}

/** Length above which an array is saved by its existing elements and their indexes. */
const LONG_ARRAY = 1 << 21;

/** The form of an object; null: it cannot be saved, such as an object of a class that extends a container. A proxy's own code may run. */
export function formOf(object: object): Form | null {
  if (object === globalThis) return null;
  const prototype = prototypeOf(object) as unknown;
  switch (prototype) {
    case null:
      return isNamespace(object) ? 'module' : 'bare';
    case Object.prototype:
      return isModule(object) ? 'module' : 'object';
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
  if (isSaveable(object)) return 'class';
  return hiddenPartOf(object) === null ? 'instance' : null;
}

/** Whether an object is the namespace of an ES module, whose properties nobody can assign. */
export function isNamespace(object: object): boolean {
  const tag = getDescriptor(object, Symbol.toStringTag);
  return prototypeOf(object) === null && tag?.value === 'Module' && tag.writable === false && !isExtensible(object);
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
function isSaveable(object: object): object is Saveable {
  return typeof (object as { toSaved?: unknown }).toSaved === 'function' && classNameOf(object) !== '';
}

export function classNameOf(object: object): string {
  const { constructor } = object as { constructor?: { name?: unknown } };
  return typeof constructor === 'function' && typeof constructor.name === 'string' ? constructor.name : '';
}

/** Part of an object of a class that its properties do not show: what a built-in class keeps inside, or private members. */
interface HiddenPart {
  /** The built-in class; null: private members. */
  readonly builtIn: string | null;
}

/** Finds out whether an object has a part that cannot be read. */
function hiddenPartOf(object: object): HiddenPart | null {
  for (let at = prototypeOf(object) as object | null; at !== null && at !== Object.prototype; at = prototypeOf(at) as object | null) {
    const constructor = getDescriptor(at, 'constructor');
    if (constructor === undefined) continue;
    const type = constructor.value as unknown;
    if (typeof type !== 'function') return { builtIn: 'object' };
    const text = apply(functionText, type, []) as string;
    if (text.endsWith('{ [native code] }')) return { builtIn: type.name };
    if (text.includes('.#')) return { builtIn: null };
  }
  return null;
}

/** Built-in classes whose objects hold what a script has put into them. */
const CONTAINERS = ['Array', 'ArrayBuffer', 'DataView', 'Date', 'Map', 'Set', 'WeakMap', 'WeakSet', 'TypedArray'];

/** The reason for which an object without a form cannot be kept, and whether what it holds is lost for certain; other such objects are usually made by the top level. */
export function whyUnkept(object: object): { readonly why: string; readonly holdsData: boolean } {
  if (object === globalThis) return { why: 'the global object', holdsData: false };
  const hidden = hiddenPartOf(object);
  const name = classNameOf(object);
  if (hidden === null) return { why: 'an object that pretends to be another', holdsData: false };
  if (hidden.builtIn === null) return { why: `an instance of ${name}, which has private members`, holdsData: true };
  const holdsData = CONTAINERS.includes(hidden.builtIn) || viewTypes.some((type) => type.name === hidden.builtIn);
  const isOwn = name !== '' && name !== hidden.builtIn;
  return { why: isOwn ? `an instance of ${name}, which extends ${hidden.builtIn}` : `a ${hidden.builtIn}`, holdsData };
}

/** Whether what a property holds cannot be saved. */
export function isUnkeepable(descriptor: PropertyDescriptor | undefined): boolean {
  return descriptor !== undefined && (descriptor.get !== undefined || descriptor.set !== undefined || isUnkeepableValue(descriptor.value));
}

export function isUnkeepableValue(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return true;
  return typeof value === 'object' && value !== null && formOf(value) === null;
}
