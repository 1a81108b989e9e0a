import { isNamespace, viewTypes } from './forms.ts';
import { define, getDescriptor, isArray, objectKeys, parseJson, prototypeOf, setPrototypeOf, toText } from '../intrinsics.ts';
import { scriptVariables, type ScriptVariable } from '../script-variables.ts';
import { placeIn } from '../places.ts';
import { PresentObjects } from '../present.ts';
import { HOLE, renewElements, renewList, renewMap, renewProperties, renewSet, setDate } from './renew.ts';
import { firstKey, isHole, isSavedKey, LEFT, objectNumber, plainValue, type SavedObject, type SavedValue } from './saved.ts';
import { isVariable } from './save.ts';

const { freeze, isExtensible, isFrozen, isSealed, preventExtensions, seal } = Object;

/** A class whose instances can be made from their saved form. */
interface Restorable {
  readonly name: string;
  fromSaved(saved: unknown): unknown;
}

/** An instance that can load a saved state. */
interface Renewable {
  restore(saved: unknown): void;
}

/** Most places of missing variables that are told. */
const MAX_MISSING = 20;

/**
 * Restores a saved state after the script's top level has run: restored values replace the initial ones. Objects become what they were in place, where the
 * top level has made ones of their form: they keep what cannot be saved. An object with `toSaved` is restored into the object of its class in the same
 * variable; where there is none, a new one is made by the class of that name that a module exports.
 * @returns places of values that could not be saved and that the top level has not made
 */
export function restoreState(text: string, block: ArrayBuffer, modules: readonly object[]): string[] {
  return new Restorer(text, block, modules).restore();
}

class Restorer {
  readonly #text: string;
  /** Start of the line of each object in the text. */
  readonly #starts: number[] = [];
  readonly #globals: readonly SavedValue[];
  /** Own variables of scripts, in a checkpoint: keys and values. */
  readonly #own: readonly SavedValue[];
  readonly #isCheckpoint: boolean;
  readonly #present = new PresentObjects(
    (number) => this.#objectAt(number),
    (object) => this.#addClass(object.constructor as unknown as Restorable),
  );
  readonly #block: ArrayBuffer;
  readonly #classes = new Map<string, Restorable>();
  readonly #made: unknown[] = [];
  /** Numbers of the views, and of the objects that save themselves. */
  readonly #views: number[] = [];
  readonly #instances: number[] = [];
  /** Places of what the top level has not made, as the object's number (-1: the variables), key and reason. */
  readonly #missing: [holder: number, key: string | number, why: string][] = [];

  constructor(text: string, block: ArrayBuffer, modules: readonly object[]) {
    this.#text = text;
    this.#block = block;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    const first = this.#starts[0];
    const [kind, ...variables] = parseJson(first === undefined ? text : text.slice(0, first)) as [string, ...SavedValue[]];
    this.#isCheckpoint = kind === 'own';
    const end = this.#isCheckpoint ? 1 + 2 * (variables[0] as number) : 0;
    this.#own = variables.slice(1, end);
    this.#globals = savedVariables(variables, end);
    for (let i = 0; i < modules.length; i++) this.#addClasses(modules[i] as object);
  }

  restore(): string[] {
    const { length } = this.#starts;
    this.#findPresent();
    for (let i = 0; i < length; i++) this.#made.push(this.#empty(i));
    for (let i = 0; i < this.#views.length; i++) this.#makeView(this.#views[i] as number);
    for (let i = 0; i < length; i++) this.#fill(i);
    if (this.#instances.length > 0) {
      this.#makeInstances();
      this.#missing.length = 0;
      for (let i = 0; i < length; i++) this.#fill(i);
    }
    for (let i = 0; i < length; i++) this.#fixLikeModel(i);
    this.#setVariables();
    return this.#places();
  }

  /** Matches the saved objects with those that the script holds after loading, where they have the same form. */
  #findPresent(): void {
    this.#eachOwn((value, { get }) => this.#present.add(value, get(), true));
    for (let i = 0; i < this.#globals.length; i += 2) {
      const current: unknown = getDescriptor(globalThis, this.#globals[i] as string)?.value;
      this.#present.add(this.#globals[i + 1] as SavedValue, current, this.#isCheckpoint);
    }
  }

  #eachOwn(visit: (value: SavedValue, variable: ScriptVariable) => void): void {
    for (let i = 0; i < this.#own.length; i += 2) {
      const variable = scriptVariables.find(({ key }) => key === this.#own[i]);
      if (variable !== undefined) visit(this.#own[i + 1] as SavedValue, variable);
    }
  }

  #setVariables(): void {
    const scope = globalThis as unknown as Record<string, unknown>;
    for (let i = 0; i < this.#globals.length; i += 2) {
      const name = this.#globals[i] as string;
      const saved = this.#globals[i + 1] as SavedValue;
      const value = this.#value(saved);
      const present = getDescriptor(globalThis, name);
      if (value === LEFT) this.#checkVariable(name, saved, present);
      // An assignment to __proto__ would set a prototype.
      else if (present === undefined) define(scope, name, { value, writable: true, enumerable: true, configurable: true });
      else if (present.writable === true || present.set !== undefined) scope[name] = value;
    }
    this.#eachOwn((saved, { set }) => {
      const value = this.#value(saved);
      if (value !== LEFT && !isHole(saved)) set?.(value);
    });
  }

  /** A function that the script no longer declares is not missing. */
  #checkVariable(name: string, saved: SavedValue, present: PropertyDescriptor | undefined): void {
    const isFunction = isArray(saved) && saved[0] === 's' && saved[1] === 'a function';
    if (present === undefined ? !isFunction : isNothing(present)) this.#note(-1, name, saved);
  }

  #note(holder: number, key: string | number, saved: SavedValue): void {
    if (this.#isCheckpoint || this.#missing.length >= MAX_MISSING) return;
    const number = objectNumber(saved);
    this.#missing.push([holder, key, number >= 0 ? whyLost(this.#objectAt(number)) : ((saved as readonly string[])[1] ?? '')]);
  }

  /** Notes the values of an object that were left and are not there. */
  #noteLeft(number: number, target: object, key: string | number, saved: SavedValue): void {
    if (isNothing(getDescriptor(target, key))) this.#note(number, key, saved);
  }

  #objectAt(number: number): SavedObject {
    return parseJson(this.#text.slice(this.#starts[number], this.#starts[number + 1])) as SavedObject;
  }

  #addClasses(exports: object): void {
    const names = objectKeys(exports);
    for (let i = 0; i < names.length; i++) {
      const value: unknown = getDescriptor(exports, names[i] as string)?.value;
      if (typeof value === 'function') this.#addClass(value as unknown as Restorable);
    }
  }

  #addClass(candidate: Restorable): void {
    if (typeof candidate.fromSaved === 'function' && !this.#classes.has(candidate.name)) this.#classes.set(candidate.name, candidate);
  }

  /**
   * Makes or restores the instances from their saved forms, after everything else. One that was not found in a variable may stand where another one was:
   * it is only restored if no new one can be made.
   */
  #makeInstances(): void {
    for (let i = this.#instances.length - 1; i >= 0; i--) {
      const number = this.#instances[i] as number;
      const [, name, form] = this.#objectAt(number) as readonly ['class', string, SavedValue];
      const saved = this.#value(form);
      const current = this.#present.get(number) as Renewable | undefined;
      const type = this.#classes.get(name);
      if (current !== undefined && (type === undefined || this.#present.isDirect(number))) {
        current.restore(saved);
        this.#made[number] = current;
      } else {
        if (type === undefined) throw new TypeError(`cannot restore a ${name}: no module exports this class`);
        this.#made[number] = type.fromSaved(saved);
      }
    }
  }

  #empty(number: number): unknown {
    const object = this.#objectAt(number);
    if (isLost(object)) return LEFT;
    const present = this.#present.get(number);
    if (present !== undefined && object[0] !== 'class') return this.#renewed(present, object);
    switch (object[0]) {
      case 'object':
        return {};
      case 'bare':
        return setPrototypeOf({}, null);
      case 'module':
      case 'instance':
        return this.#likeModel(number);
      case 'list':
      case 'array':
        return [];
      case 'map':
        return new Map();
      case 'set':
        return new Set();
      case 'date':
        return new Date(this.#value(object[1]) as number);
      case 'buffer':
        return this.#bytes(object[1], object[2]);
      case 'view':
        this.#views.push(number);
        return undefined;
      case 'class':
        this.#instances.push(number);
        return undefined;
    }
  }

  /** A class cannot make an object without running its constructor, but there may be one of it that cannot change. */
  #likeModel(number: number): unknown {
    const model = this.#present.modelOf(number);
    return model === undefined ? LEFT : setPrototypeOf({}, prototypeOf(model) as object);
  }

  #renewed(present: object, saved: SavedObject): object {
    if (saved[0] === 'date') setDate(present as Date, this.#value(saved[1]) as number);
    return saved[0] === 'buffer' ? this.#bytes(saved[1], saved[2], present as ArrayBuffer) : present;
  }

  #bytes(at: number, length: number, buffer = new ArrayBuffer(length)): ArrayBuffer {
    new Uint8Array(buffer).set(new Uint8Array(this.#block, at, length));
    return buffer;
  }

  #makeView(number: number): void {
    const [, name, buffer, at, length] = this.#objectAt(number) as readonly ['view', string, number, number, number];
    const type = viewTypes.find((candidate) => candidate.name === name);
    if (type === undefined) throw new TypeError(`cannot restore a ${name}`);
    this.#made[number] = new type(this.#made[buffer] as ArrayBuffer, at, length);
  }

  #fill(number: number): void {
    const target = this.#made[number];
    if (target === LEFT || typeof target !== 'object' || target === null) return;
    const saved = this.#objectAt(number);
    switch (saved[0]) {
      case 'list':
        return this.#fillList(number, target as unknown[], saved);
      case 'array':
        return this.#fillElements(target as unknown[], saved);
      case 'map':
        return this.#fillMap(number, target, saved);
      case 'set':
        return renewSet(target, this.#values(saved.slice(1)));
      default:
        // The other forms are complete from the start, or made later; what an ES module exports is not for others to change.
        if (firstKey(saved) > 0 && !isNamespace(target)) this.#fillProperties(number, target, saved);
    }
  }

  #values(saved: readonly SavedValue[]): unknown[] {
    return saved.map((value) => this.#value(value));
  }

  #fillProperties(number: number, target: object, saved: SavedObject): void {
    const first = firstKey(saved);
    const keys: string[] = [];
    const values: unknown[] = [];
    for (let i = first; i < saved.length; i += 2) {
      keys.push(saved[i] as string);
      values.push(this.#value(saved[i + 1] as SavedValue));
    }
    renewProperties(target, keys, values, this.#present.modelOf(number));
    for (let i = 0; i < keys.length; i++) {
      if (values[i] === LEFT) this.#noteLeft(number, target, keys[i] as string, saved[first + 2 * i + 1] as SavedValue);
    }
  }

  #fillList(number: number, target: unknown[], saved: readonly SavedValue[]): void {
    const at = (i: number): SavedValue => saved[i + 1] as SavedValue;
    const valueAt = (i: number): unknown => (isHole(at(i)) ? HOLE : this.#value(at(i)));
    renewList(target, saved.length - 1, valueAt, this.#present.modelOf(number) as unknown[] | undefined);
    for (let i = 0; i < saved.length - 1; i++) {
      if (isArray(at(i)) && this.#value(at(i)) === LEFT) this.#noteLeft(number, target, i, at(i));
    }
  }

  #fillElements(target: unknown[], saved: Extract<SavedObject, readonly ['array', ...unknown[]]>): void {
    const keys: number[] = [];
    const values: unknown[] = [];
    for (let i = 2; i < saved.length; i += 2) {
      keys.push(saved[i] as number);
      values.push(this.#value(saved[i + 1] as SavedValue));
    }
    renewElements(target, saved[1], keys, values);
  }

  #fillMap(number: number, target: object, saved: readonly SavedValue[]): void {
    const keys: unknown[] = [];
    const values: unknown[] = [];
    for (let i = 1; i < saved.length; i += 2) {
      const key = this.#value(saved[i] as SavedValue);
      if (key === LEFT) continue;
      keys.push(key);
      values.push(this.#value(saved[i + 1] as SavedValue));
    }
    const isKept = (key: unknown): boolean => isSavedKey(key) || (this.#isCheckpoint && typeof key === 'object');
    renewMap(target, keys, values, isKept);
    for (let i = 0; i < keys.length && !this.#isCheckpoint; i++) {
      if (values[i] === LEFT && !(target as Map<unknown, unknown>).has(keys[i]))
        this.#note(number, toText(keys[i]), saved[2 * i + 2] as SavedValue);
    }
  }

  /** Freezes the replacement of a frozen object, as its model is. */
  #fixLikeModel(number: number): void {
    const model = this.#present.modelOf(number);
    const made = this.#made[number];
    if (model === undefined || made === LEFT || typeof made !== 'object' || made === null || isExtensible(model)) return;
    if (isFrozen(model)) freeze(made);
    else if (isSealed(model)) seal(made);
    else preventExtensions(made);
  }

  #value(value: SavedValue): unknown {
    const number = objectNumber(value);
    return number < 0 ? plainValue(value) : this.#made[number];
  }

  /** The places of what is missing. */
  #places(): string[] {
    if (this.#missing.length === 0) return [];
    const { holders, keys } = this.#tree();
    return this.#missing.map(([holder, key, why]) => `${placeIn(holder, key, holders, keys)} (${why})`);
  }

  /** The object that each saved one is found in, and its key there. */
  #tree(): { holders: number[]; keys: (string | number)[] } {
    const holders: number[] = [];
    const keys: (string | number)[] = [];
    const visit = (saved: SavedValue, holder: number, key: string | number): void => {
      const number = objectNumber(saved);
      if (number < 0 || holders[number] !== undefined) return;
      holders[number] = holder;
      keys[number] = key;
    };
    for (let i = 0; i < this.#globals.length; i += 2) visit(this.#globals[i + 1] as SavedValue, -1, this.#globals[i] as string);
    for (let number = 0; number < this.#starts.length; number++) {
      const saved = this.#objectAt(number);
      const first = firstKey(saved) || (saved[0] === 'map' ? 1 : 0);
      if (first > 0) for (let i = first; i < saved.length; i += 2) visit(saved[i + 1] as SavedValue, number, saved[i] as string);
      else for (let i = 1; i < saved.length; i++) visit(saved[i] as SavedValue, number, i - 1);
    }
    return { holders, keys };
  }
}

/** The names and values of variables from an index on. A file that was edited may name what is built in, which is no variable of the script. */
function savedVariables(saved: readonly SavedValue[], start: number): SavedValue[] {
  const kept: SavedValue[] = [];
  for (let i = start; i < saved.length; i += 2) {
    const name = saved[i];
    if (typeof name === 'string' && isVariable(name)) kept.push(name, saved[i + 1] as SavedValue);
  }
  return kept;
}

/** Whether a property is not there, or holds nothing. */
function isNothing(property: PropertyDescriptor | undefined): boolean {
  return property === undefined || (property.get === undefined && (property.value === undefined || property.value === null));
}

/** Whether the saver could not read the object to its end. */
function isLost(saved: SavedObject): boolean {
  const last = saved[saved.length - 1];
  return isArray(last) && last[0] === 'x';
}

function whyLost(saved: SavedObject): string {
  if (saved[0] === 'module') return 'a module';
  return saved[0] === 'instance' && saved[1] !== '' ? `an instance of ${saved[1]}` : 'an object';
}
