import { define, getDescriptor, isArray, objectKeys, parseJson, setPrototypeOf } from './intrinsics.ts';
import { ownVariables, type OwnVariable } from './own-variables.ts';
import { emptied, PresentObjects, setDate } from './present.ts';
import { classNameOf, globalNames, isSaveable, viewTypes, type SavedObject, type SavedValue } from './save.ts';

/** A class whose instances can be made from their saved form. */
interface Restorable {
  fromSaved(saved: unknown): unknown;
}

/** An instance that can load a saved state. */
interface Renewable {
  restore(saved: unknown): void;
}

/**
 * Restores a saved state after the script's top level has run: restored values replace the initial ones. An object with `toSaved` is restored
 * into the object of its class in the same variable; where there is none, a new one is made by the class of that name that a module exports.
 */
export function restoreState(text: string, block: ArrayBuffer, modules: readonly object[]): void {
  new Restorer(text, block, modules).restore();
}

class Restorer {
  readonly #text: string;
  /** Start of the line of each object in the text. */
  readonly #starts: number[] = [];
  readonly #globals: readonly SavedValue[];
  /** Own variables of scripts, in a checkpoint: keys and values. */
  readonly #own: readonly SavedValue[];
  readonly #isCheckpoint: boolean;
  readonly #present = new PresentObjects((number) => this.#objectAt(number));
  readonly #block: ArrayBuffer;
  readonly #classes = new Map<string, Restorable>();
  readonly #made: unknown[] = [];
  /** Numbers of the views, and of the objects that save themselves. */
  readonly #views: number[] = [];
  readonly #instances: number[] = [];

  constructor(text: string, block: ArrayBuffer, modules: readonly object[]) {
    this.#text = text;
    this.#block = block;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    const first = this.#starts[0];
    const [kind, ...variables] = parseJson(first === undefined ? text : text.slice(0, first)) as [string, ...SavedValue[]];
    this.#isCheckpoint = kind === 'own';
    const end = this.#isCheckpoint ? 1 + 2 * (variables[0] as number) : 0;
    this.#own = variables.slice(1, end);
    this.#globals = variables.slice(end);
    for (let i = 0; i < modules.length; i++) this.#addClasses(modules[i] as object);
  }

  restore(): void {
    const { length } = this.#starts;
    const scope = globalThis as unknown as Record<string, unknown>;
    this.#findPresent();
    for (let i = 0; i < length; i++) this.#made.push(this.#empty(i));
    for (let i = 0; i < this.#views.length; i++) this.#makeView(this.#views[i] as number);
    for (let i = 0; i < length; i++) this.#fill(i);
    if (this.#instances.length > 0) {
      this.#makeInstances(this.#takeOver(scope));
      for (let i = 0; i < length; i++) this.#fill(i);
    }
    for (let i = 0; i < this.#globals.length; i += 2) scope[this.#globals[i] as string] = this.#value(this.#globals[i + 1] as SavedValue);
    this.#eachOwn((value, { set }) => {
      if (set !== undefined && !(isArray(value) && value[0] === 'h')) set(this.#value(value));
    });
  }

  /** Matches the objects of a checkpoint with those that the script holds after loading, where they have the same form. */
  #findPresent(): void {
    if (!this.#isCheckpoint) return;
    this.#eachOwn((value, { get }) => this.#present.add(value, get()));
    for (let i = 0; i < this.#globals.length; i += 2) {
      const current = getDescriptor(globalThis, this.#globals[i] as string)?.value as unknown;
      this.#present.add(this.#globals[i + 1] as SavedValue, current);
    }
  }

  #eachOwn(visit: (value: SavedValue, variable: OwnVariable) => void): void {
    for (let i = 0; i < this.#own.length; i += 2) {
      const variable = ownVariables.find(({ key }) => key === this.#own[i]);
      if (variable !== undefined) visit(this.#own[i + 1] as SavedValue, variable);
    }
  }

  #objectAt(number: number): SavedObject {
    return parseJson(this.#text.slice(this.#starts[number], this.#starts[number + 1])) as SavedObject;
  }

  #addClasses(exports: object): void {
    const names = objectKeys(exports);
    for (let i = 0; i < names.length; i++) {
      const value: unknown = getDescriptor(exports, names[i] as string)?.value;
      if (typeof value !== 'function') continue;
      this.#addClass(value as unknown as Restorable & { readonly name: string });
    }
  }

  #addClass(candidate: Restorable & { readonly name: string }): void {
    if (typeof candidate.fromSaved === 'function' && !this.#classes.has(candidate.name)) this.#classes.set(candidate.name, candidate);
  }

  /** Instances that the script's variables hold now, by the number of the saved object to restore into them. */
  #takeOver(scope: Record<string, unknown>): Map<number, Renewable> {
    const present = new Map<number, Renewable>();
    this.#present.each((object, number) => {
      if (!this.#instances.includes(number)) return;
      this.#addClass(object.constructor as unknown as Restorable & { readonly name: string });
      present.set(number, object as unknown as Renewable);
    });
    const names = globalNames();
    for (let i = 0; i < this.#globals.length; i += 2) {
      const name = this.#globals[i] as string;
      const value = this.#globals[i + 1] as SavedValue;
      if (!isArray(value) || value[0] !== 'o' || !names.includes(name)) continue;
      const number = value[1] as number;
      if (present.has(number)) continue;
      const current = scope[name];
      if (!this.#instances.includes(number) || typeof current !== 'object' || current === null || !isSaveable(current)) continue;
      this.#addClass((current as object).constructor as unknown as Restorable & { readonly name: string });
      const saved = this.#objectAt(number);
      if (classNameOf(current) === saved[1] && typeof (current as Partial<Renewable>).restore === 'function') {
        present.set(number, current as unknown as Renewable);
      }
    }
    return present;
  }

  /** Makes or restores the instances from their saved forms, after everything else. */
  #makeInstances(present: Map<number, Renewable>): void {
    for (let i = this.#instances.length - 1; i >= 0; i--) {
      const number = this.#instances[i] as number;
      const [, name, form] = this.#objectAt(number) as readonly ['class', string, SavedValue];
      const saved = this.#value(form);
      const current = present.get(number);
      if (current !== undefined) {
        current.restore(saved);
        this.#made[number] = current;
      } else {
        const type = this.#classes.get(name);
        if (type === undefined) throw new TypeError(`cannot restore a ${name}: no module exports this class`);
        this.#made[number] = type.fromSaved(saved);
      }
    }
  }

  #empty(number: number): unknown {
    const object = this.#objectAt(number);
    const present = this.#present.get(number);
    if (present !== undefined && object[0] !== 'class') return this.#renewed(present, object);
    switch (object[0]) {
      case 'object':
        return {};
      case 'bare':
        return setPrototypeOf({}, null);
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

  #renewed(present: object, saved: SavedObject): object {
    if (saved[0] === 'date') setDate(present as Date, this.#value(saved[1]) as number);
    if (saved[0] === 'buffer') return this.#bytes(saved[1], saved[2], present as ArrayBuffer);
    return emptied(present, saved);
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
    const object = this.#objectAt(number);
    switch (object[0]) {
      case 'object':
      case 'bare':
        this.#fillProperties(this.#made[number] as Record<string, unknown>, object);
        break;
      case 'list': {
        const array = this.#made[number] as unknown[];
        array.length = object.length - 1;
        for (let i = 1; i < object.length; i++) {
          const value = object[i] as SavedValue;
          if (!isArray(value) || value[0] !== 'h') array[i - 1] = this.#value(value);
        }
        break;
      }
      case 'array': {
        const array = this.#made[number] as unknown[];
        array.length = object[1];
        for (let i = 2; i < object.length; i += 2) array[object[i] as number] = this.#value(object[i + 1] as SavedValue);
        break;
      }
      case 'map': {
        const map = this.#made[number] as Map<unknown, unknown>;
        for (let i = 1; i < object.length; i += 2) map.set(this.#value(object[i] as SavedValue), this.#value(object[i + 1] as SavedValue));
        break;
      }
      case 'set': {
        const set = this.#made[number] as Set<unknown>;
        set.clear();
        for (let i = 1; i < object.length; i++) set.add(this.#value(object[i] as SavedValue));
        break;
      }
      case 'date':
      case 'buffer':
      case 'view':
      case 'class':
        // These are complete from the start, or made later.
        break;
    }
  }

  #fillProperties(target: Record<string, unknown>, saved: readonly SavedValue[]): void {
    for (let i = 1; i < saved.length; i += 2) {
      // An assignment to __proto__ would set the prototype.
      define(target, saved[i] as string, {
        value: this.#value(saved[i + 1] as SavedValue),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }

  #value(value: SavedValue): unknown {
    if (!isArray(value)) return value;
    const [kind, content] = value as unknown as readonly [string, string | number];
    switch (kind) {
      case 'n':
        return content === '-0' ? -0 : Number(content);
      case 'b':
        return BigInt(content);
      case 'o':
        return this.#made[content as number];
      default:
        return undefined;
    }
  }
}
