import { apply, getDescriptor, isArray, objectKeys } from './intrinsics.ts';
import { classNameOf, formOf, partsOfView, sizeOfBuffer, type SavedObject, type SavedValue } from './save.ts';

const { isExtensible } = Object;
const { deleteProperty } = Reflect;
const { clear: clearMap } = Map.prototype as { clear: () => void };
const { clear: clearSet } = Set.prototype as { clear: () => void };
const { setTime } = Date.prototype as { setTime: (time: number) => void };

/**
 * Matches saved objects with the objects that a script holds after loading, so that these are restored in place: constants cannot be assigned
 * to, and functions of an object, which are not saved, stay in it.
 */
export class PresentObjects {
  readonly #objectAt: (number: number) => SavedObject;
  readonly #objects = new Map<number, object>();
  readonly #taken = new Set<object>();

  constructor(objectAt: (number: number) => SavedObject) {
    this.#objectAt = objectAt;
  }

  get(number: number): object | undefined {
    return this.#objects.get(number);
  }

  each(visit: (object: object, number: number) => void): void {
    this.#objects.forEach(visit);
  }

  /** Matches a saved value with the current one, and the values inside of both with each other. */
  add(value: SavedValue, current: unknown): void {
    const pairs: [value: SavedValue, current: unknown][] = [[value, current]];
    for (let i = 0; i < pairs.length; i++) {
      const [saved, object] = pairs[i] as [SavedValue, unknown];
      if (!isArray(saved) || saved[0] !== 'o' || typeof object !== 'object' || object === null) continue;
      const number = saved[1] as number;
      if (!this.#take(number, object)) continue;
      const content = this.#objectAt(number);
      if (content[0] !== 'object' && content[0] !== 'bare') continue;
      for (let k = 1; k < content.length; k += 2) {
        pairs.push([content[k + 1] as SavedValue, getDescriptor(object, content[k] as string)?.value as unknown]);
      }
    }
  }

  /** Matches an object with a saved one if it fits; each is matched at most once. */
  #take(number: number, object: object): boolean {
    if (this.#objects.has(number) || this.#taken.has(object) || !this.#fits(this.#objectAt(number), object)) return false;
    this.#objects.set(number, object);
    this.#taken.add(object);
    return true;
  }

  #fits(saved: SavedObject, object: object): boolean {
    const form = formOf(object);
    switch (saved[0]) {
      case 'list':
      case 'array':
        return (form === 'list' || form === 'array') && isExtensible(object);
      case 'object':
      case 'bare':
        return form === saved[0] && isExtensible(object);
      case 'class':
        return form === 'class' && classNameOf(object) === saved[1] && typeof (object as { restore?: unknown }).restore === 'function';
      case 'buffer':
        return form === 'buffer' && sizeOfBuffer(object as ArrayBuffer) === saved[2];
      case 'view':
        return form === 'view' && this.#fitsView(saved, object as ArrayBufferView);
      default:
        return form === saved[0];
    }
  }

  #fitsView([, type, buffer, at, length]: Extract<SavedObject, readonly ['view', ...unknown[]]>, view: ArrayBufferView): boolean {
    const parts = partsOfView(view);
    if (parts.type !== type || parts.at !== at || parts.length !== length) return false;
    return this.#objects.get(buffer) === parts.buffer || this.#take(buffer, parts.buffer);
  }
}

/** Removes from an object the contents that have a saved form, before the saved ones are put in. */
export function emptied(object: object, saved: SavedObject): object {
  switch (saved[0]) {
    case 'list':
    case 'array':
      (object as unknown[]).length = 0;
      break;
    case 'object':
    case 'bare':
      deleteKept(object);
      break;
    case 'map':
      apply(clearMap, object, []);
      break;
    case 'set':
      apply(clearSet, object, []);
      break;
    default:
      break;
  }
  return object;
}

function deleteKept(object: object): void {
  const keys = objectKeys(object);
  for (let i = 0; i < keys.length; i++) {
    const descriptor = getDescriptor(object, keys[i] as string);
    const value = descriptor?.value as unknown;
    if (descriptor?.get !== undefined || descriptor?.set !== undefined || typeof value === 'function' || typeof value === 'symbol')
      continue;
    if (typeof value === 'object' && value !== null && formOf(value) === null) continue;
    deleteProperty(object, keys[i] as string);
  }
}

/** Sets a date's time, whatever methods the script has given it. */
export function setDate(date: Date, time: number): void {
  apply(setTime, date, [time]);
}
