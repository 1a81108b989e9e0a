import { eachEntry, eachMember, isUnkeepable, isUnkeepableValue } from './forms.ts';
import { apply, getDescriptor, objectKeys } from '../intrinsics.ts';
import { LEFT } from './saved.ts';

const { defineProperty, deleteProperty, set } = Reflect;
const { isExtensible } = Object;
const methods = { map: Map.prototype, set: Set.prototype };
const { clear: clearMap, set: setEntry } = methods.map as { clear: () => void; set: (key: never, value: never) => unknown };
const { clear: clearSet, add: addMember } = methods.set as { clear: () => void; add: (value: never) => unknown };
const { setTime } = Date.prototype as { setTime: (time: number) => void };

/** A hole of a list. */
export const HOLE: unique symbol = Symbol('hole');

/**
 * Gives an object its saved properties, in their order. Where a value is LEFT it keeps its own one, or gets that of the model; of its other properties it
 * keeps those that cannot be saved.
 */
export function renewProperties(target: object, keys: readonly string[], values: readonly unknown[], model: object | undefined): void {
  const present = objectKeys(target);
  if (isSameOrder(present, keys)) {
    for (let i = 0; i < keys.length; i++) if (values[i] !== LEFT) put(target, keys[i] as string, values[i]);
    return;
  }
  const own = takeProperties(target, present);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (values[i] === LEFT) keepDescriptor(target, key, own.get(key) ?? descriptorOf(model, key));
    else put(target, key, values[i]);
    own.delete(key);
  }
  own.forEach((descriptor, key) => {
    if (isUnkeepable(descriptor)) keepDescriptor(target, key, descriptor);
  });
}

/** With the same order, properties are assigned: one that were deleted would make the object slow. */
function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

function takeProperties(target: object, keys: readonly string[]): Map<string, PropertyDescriptor> {
  const own = new Map<string, PropertyDescriptor>();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const descriptor = getDescriptor(target, key);
    if (descriptor === undefined) continue;
    own.set(key, descriptor);
    deleteProperty(target, key);
  }
  return own;
}

function descriptorOf(model: object | undefined, key: string | number): PropertyDescriptor | undefined {
  return model === undefined ? undefined : getDescriptor(model, key);
}

function keepDescriptor(target: object, key: string, descriptor: PropertyDescriptor | undefined): void {
  if (descriptor !== undefined) defineProperty(target, key, descriptor);
}

/** An assignment would call setters, and to __proto__ it would set the prototype. What cannot be changed stays as it is. */
function put(target: object, key: string, value: unknown): void {
  if (!defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })) defineProperty(target, key, { value });
}

/** Gives a list its saved elements, as `renewProperties` does. */
export function renewList(list: unknown[], length: number, valueAt: (index: number) => unknown, model: unknown[] | undefined): void {
  const present = list.length;
  for (let i = 0; i < length; i++) {
    const value = valueAt(i);
    if (value === LEFT) {
      if (i >= present) keepDescriptor(list, `${i}`, descriptorOf(model, i));
    } else if (value === HOLE) {
      if (i < present && !isUnkeepable(getDescriptor(list, i))) deleteProperty(list, i);
    } else if (i < present) put(list, `${i}`, value);
    else list[i] = value;
  }
  if (list.length !== length) set(list, 'length', length);
}

/** Gives an array its saved elements by their indexes. */
export function renewElements(list: unknown[], length: number, keys: readonly number[], values: readonly unknown[]): void {
  const own = isExtensible(list) ? takeProperties(list, objectKeys(list)) : new Map<string, PropertyDescriptor>();
  set(list, 'length', length);
  for (let i = 0; i < keys.length; i++) {
    const key = `${keys[i] as number}`;
    if (values[i] === LEFT) keepDescriptor(list, key, own.get(key));
    else put(list, key, values[i]);
    own.delete(key);
  }
  own.forEach((descriptor, key) => {
    if (isUnkeepable(descriptor) && !(+key >= length)) keepDescriptor(list, key, descriptor);
  });
}

/**
 * Gives a map its saved entries.
 * @param isKept whether an entry with this key would have been saved
 */
export function renewMap(map: object, keys: readonly unknown[], values: readonly unknown[], isKept: (key: unknown) => boolean): void {
  const own = new Map<unknown, unknown>();
  eachEntry(map, (value, key) => own.set(key, value));
  apply(clearMap, map, []);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (values[i] !== LEFT) apply(setEntry, map, [key, values[i]]);
    else if (own.has(key)) apply(setEntry, map, [key, own.get(key)]);
    own.delete(key);
  }
  own.forEach((value, key) => {
    if (!isKept(key) || isUnkeepableValue(value)) apply(setEntry, map, [key, value]);
  });
}

/** Gives a set its saved members. */
export function renewSet(members: object, values: readonly unknown[]): void {
  const own: unknown[] = [];
  eachMember(members, (value) => {
    if (isUnkeepableValue(value)) own.push(value);
  });
  apply(clearSet, members, []);
  for (let i = 0; i < values.length; i++) if (values[i] !== LEFT) apply(addMember, members, [values[i]]);
  for (let i = 0; i < own.length; i++) apply(addMember, members, [own[i]]);
}

/** Sets a date's time, whatever methods the script has given it. */
export function setDate(date: Date, time: number): void {
  apply(setTime, date, [time]);
}
