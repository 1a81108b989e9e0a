import { classNameOf, eachEntry, eachMember, formOf, isNamespace, isUnkeepable, partsOfView, sizeOfBuffer } from './state/forms.ts';
import { getDescriptor, hasOwn, objectKeys } from './intrinsics.ts';
import { firstKey, LEFT, objectNumber, plainValue, type SavedObject, type SavedValue } from './state/saved.ts';

const { isExtensible, is } = Object;

type Pair = readonly [saved: SavedValue, current: unknown];

/**
 * Matches saved objects with the objects that a script holds after loading, so that these are restored in place: constants cannot be assigned
 * to, functions of an object, which are not saved, stay in it, and whoever else holds the object sees what it was.
 */
export class PresentObjects {
  readonly #objectAt: (number: number) => SavedObject;
  readonly #onClass: (object: object) => void;
  readonly #objects = new Map<number, object>();
  readonly #models = new Map<number, object>();
  readonly #indirect = new Set<number>();
  readonly #taken = new Set<object>();

  /** @param onClass takes an object with `toSaved` that stands where one of the same class was saved */
  constructor(objectAt: (number: number) => SavedObject, onClass: (object: object) => void) {
    this.#objectAt = objectAt;
    this.#onClass = onClass;
  }

  get(number: number): object | undefined {
    return this.#objects.get(number);
  }

  /** The object in the place of a saved one that cannot become it, because it is frozen. */
  modelOf(number: number): object | undefined {
    return this.#models.get(number);
  }

  /** Whether a matched object was reached as `add` was told: not by an index that another object may have now. */
  isDirect(number: number): boolean {
    return !this.#indirect.has(number);
  }

  /**
   * Matches a saved value with the current one, and the values inside of both with each other.
   * @param byNames whether objects that are reached by names of properties are direct, and not only the variable's own
   */
  add(value: SavedValue, current: unknown, byNames: boolean): void {
    const found: { readonly pair: Pair; readonly direct: boolean }[] = [{ pair: [value, current], direct: true }];
    for (let i = 0; i < found.length; i++) {
      const { pair, direct } = found[i] as (typeof found)[number];
      const [saved, object] = pair;
      const number = objectNumber(saved);
      if (number < 0 || typeof object !== 'object' || object === null || !this.#take(number, object)) continue;
      if (!direct) this.#indirect.add(number);
      const content = this.#objectAt(number);
      const isNamed = content[0] !== 'array' && firstKey(content) > 0;
      const inner = pairsOf(content, object);
      for (let k = 0; k < inner.length; k++) found.push({ pair: inner[k] as Pair, direct: direct && byNames && isNamed });
    }
  }

  /** Matches an object with a saved one if it fits; each is matched at most once. */
  #take(number: number, object: object): boolean {
    if (this.#objects.has(number) || this.#taken.has(object)) return false;
    const saved = this.#objectAt(number);
    if (!this.#fits(saved, object)) return false;
    if (isExtensible(object) || canBecome(saved, object)) {
      this.#objects.set(number, object);
      this.#taken.add(object);
      return true;
    }
    if (this.#models.has(number)) return false;
    this.#models.set(number, object);
    return true;
  }

  #fits(saved: SavedObject, object: object): boolean {
    const form = formOf(object);
    switch (saved[0]) {
      case 'list':
      case 'array':
        return form === 'list' || form === 'array';
      case 'bare':
      case 'object':
      case 'module':
        // Exports of a module have another form when they were saved before the module was loaded, or by an earlier version.
        return form === saved[0] || form === 'module';
      case 'instance':
        return form === 'instance' && classNameOf(object) === saved[1];
      case 'class':
        return form === 'class' && classNameOf(object) === saved[1] && this.#canRestore(object);
      case 'buffer':
        return form === 'buffer' && sizeOfBuffer(object as ArrayBuffer) === saved[2];
      case 'view':
        return form === 'view' && this.#fitsView(saved, object as ArrayBufferView);
      default:
        return form === saved[0];
    }
  }

  #canRestore(object: object): boolean {
    this.#onClass(object);
    return typeof (object as { restore?: unknown }).restore === 'function';
  }

  #fitsView([, type, buffer, at, length]: Extract<SavedObject, readonly ['view', ...unknown[]]>, view: ArrayBufferView): boolean {
    const parts = partsOfView(view);
    if (parts.type !== type || parts.at !== at || parts.length !== length) return false;
    return this.#objects.get(buffer) === parts.buffer || this.#take(buffer, parts.buffer);
  }
}

/** The saved objects inside of a saved one, and what stands in their places. */
function pairsOf(saved: SavedObject, object: object): Pair[] {
  switch (saved[0]) {
    case 'list':
      return pairsOfList(saved, object);
    case 'map':
      return pairsOfMap(saved, object);
    case 'set':
      return pairsOfSet(saved, object);
    default:
      return pairsOfProperties(saved, object);
  }
}

function pairsOfProperties(saved: SavedObject, object: object): Pair[] {
  const pairs: Pair[] = [];
  for (let i = firstKey(saved) || saved.length; i < saved.length; i += 2) {
    const value = saved[i + 1] as SavedValue;
    if (objectNumber(value) >= 0) pairs.push([value, getDescriptor(object, saved[i] as string)?.value]);
  }
  return pairs;
}

function pairsOfList(saved: SavedObject, object: object): Pair[] {
  const pairs: Pair[] = [];
  const last = (object as unknown[]).length;
  for (let i = 1; i < saved.length && i <= last; i++) {
    const value = saved[i] as SavedValue;
    if (objectNumber(value) >= 0) pairs.push([value, getDescriptor(object, i - 1)?.value]);
  }
  return pairs;
}

function pairsOfMap(saved: SavedObject, object: object): Pair[] {
  const present = new Map<unknown, unknown>();
  eachEntry(object, (value, key) => present.set(key, value));
  const pairs: Pair[] = [];
  for (let i = 1; present.size > 0 && i < saved.length; i += 2) {
    if (objectNumber(saved[i] as SavedValue) < 0) pairs.push([saved[i + 1] as SavedValue, present.get(plainValue(saved[i] as SavedValue))]);
  }
  return pairs;
}

function pairsOfSet(saved: SavedObject, object: object): Pair[] {
  const pairs: Pair[] = [];
  let at = 1;
  eachMember(object, (value) => {
    if (at < saved.length) pairs.push([saved[at++] as SavedValue, value]);
  });
  return pairs;
}

/** Whether an object that takes no new properties can become the saved one. */
function canBecome(saved: SavedObject, object: object): boolean {
  if (isNamespace(object)) return true;
  if (saved[0] === 'list') return (object as unknown[]).length === saved.length - 1 && hasValues(saved.slice(1), object);
  const first = firstKey(saved);
  if (first === 0) return true;
  const kept = new Set<string>();
  for (let i = first; i < saved.length; i += 2) {
    kept.add(saved[i] as string);
    if (!canHave(object, saved[i] as string, saved[i + 1] as SavedValue)) return false;
  }
  return objectKeys(object).every((key) => kept.has(key) || isUnkeepable(getDescriptor(object, key)));
}

function hasValues(values: readonly SavedValue[], object: object): boolean {
  return values.every((value, i) => canHave(object, i, value));
}

function canHave(object: object, key: string | number, value: SavedValue): boolean {
  const descriptor = getDescriptor(object, key);
  const plain = objectNumber(value) < 0 ? plainValue(value) : null;
  if (plain === LEFT) return true;
  if (descriptor === undefined || !hasOwn(descriptor, 'value')) return false;
  if (descriptor.writable === true) return true;
  if (objectNumber(value) >= 0) return typeof descriptor.value === 'object' && descriptor.value !== null;
  return is(plain, descriptor.value);
}
