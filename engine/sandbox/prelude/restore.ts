import { define, getDescriptor, isArray, objectKeys, parseJson, setPrototypeOf } from './intrinsics.ts';
import { classNameOf, globalNames, isSaveable, viewTypes, type SavedObject, type SavedState, type SavedValue } from './save.ts';

/** A class whose instances can be made from their saved form. */
interface Restorable {
  fromSaved(saved: unknown): unknown;
}

/** An instance that can take over a saved state. */
interface Renewable {
  restore(saved: unknown): void;
}

/**
 * Puts a saved state back: the script's top level has run, and restored values replace its initial ones. An object that saves itself goes
 * into the one of its class that the same variable holds; where there is none, its class is looked for among what the modules export.
 */
export function restoreState(text: string, block: ArrayBuffer, modules: readonly object[]): void {
  new Restorer(parseJson(text) as SavedState, block, modules).restore();
}

class Restorer {
  readonly #state: SavedState;
  readonly #block: ArrayBuffer;
  readonly #classes = new Map<string, Restorable>();
  readonly #made: unknown[] = [];

  constructor(state: SavedState, block: ArrayBuffer, modules: readonly object[]) {
    this.#state = state;
    this.#block = block;
    for (let i = 0; i < modules.length; i++) this.#addClasses(modules[i] as object);
  }

  restore(): void {
    const { globals, objects } = this.#state;
    const scope = globalThis as unknown as Record<string, unknown>;
    for (let i = 0; i < objects.length; i++) this.#made.push(this.#empty(objects[i] as SavedObject));
    this.#makeViews();
    for (let i = 0; i < objects.length; i++) this.#fill(i);
    this.#makeInstances(this.#takeOver(scope));
    for (let i = 0; i < objects.length; i++) this.#fill(i);
    for (let i = 0; i < globals.length; i++) {
      const [name, value] = globals[i] as [string, SavedValue];
      scope[name] = this.#value(value);
    }
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

  /** Instances that global variables hold now, by the number of the saved object that goes into them. */
  #takeOver(scope: Record<string, unknown>): Map<number, Renewable> {
    const present = new Map<number, Renewable>();
    const { globals, objects } = this.#state;
    const names = globalNames();
    for (let i = 0; i < globals.length; i++) {
      const [name, value] = globals[i] as [string, SavedValue];
      if (!isArray(value) || value[0] !== 'o' || !names.includes(name)) continue;
      const number = value[1] as number;
      const saved = objects[number] as SavedObject;
      const current = scope[name];
      if (saved[0] !== 'class' || typeof current !== 'object' || current === null || !isSaveable(current)) continue;
      this.#addClass((current as object).constructor as unknown as Restorable & { readonly name: string });
      if (classNameOf(current) === saved[1] && typeof (current as Partial<Renewable>).restore === 'function') {
        present.set(number, current as unknown as Renewable);
      }
    }
    return present;
  }

  /** Instances are made from their saved forms when everything else is there. */
  #makeInstances(present: Map<number, Renewable>): void {
    const { objects } = this.#state;
    for (let i = objects.length - 1; i >= 0; i--) {
      const object = objects[i] as SavedObject;
      if (object[0] !== 'class') continue;
      const [, name, form] = object;
      const saved = this.#value(form);
      const current = present.get(i);
      if (current !== undefined) {
        current.restore(saved);
        this.#made[i] = current;
      } else {
        const type = this.#classes.get(name);
        if (type === undefined) throw new TypeError(`cannot restore a ${name}: no module exports this class`);
        this.#made[i] = type.fromSaved(saved);
      }
    }
  }

  #empty(object: SavedObject): unknown {
    switch (object[0]) {
      case 'object':
        return {};
      case 'bare':
        return setPrototypeOf({}, null);
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
      case 'class':
        return undefined;
    }
  }

  #bytes(at: number, length: number): ArrayBuffer {
    const buffer = new ArrayBuffer(length);
    new Uint8Array(buffer).set(new Uint8Array(this.#block, at, length));
    return buffer;
  }

  #makeViews(): void {
    const { objects } = this.#state;
    for (let i = 0; i < objects.length; i++) {
      const object = objects[i] as SavedObject;
      if (object[0] !== 'view') continue;
      const [, name, buffer, at, length] = object;
      const type = viewTypes.find((candidate) => candidate.name === name);
      if (type === undefined) throw new TypeError(`cannot restore a ${name}`);
      this.#made[i] = new type(this.#made[buffer] as ArrayBuffer, at, length);
    }
  }

  #fill(number: number): void {
    const object = this.#state.objects[number] as SavedObject;
    switch (object[0]) {
      case 'object':
      case 'bare':
        this.#fillProperties(this.#made[number] as Record<string, unknown>, object[1]);
        break;
      case 'array': {
        const array = this.#made[number] as unknown[];
        array.length = object[1];
        for (let i = 0; i < object[2].length; i++)
          array[(object[2][i] as [number, SavedValue])[0]] = this.#value((object[2][i] as [number, SavedValue])[1]);
        break;
      }
      case 'map': {
        const map = this.#made[number] as Map<unknown, unknown>;
        for (let i = 0; i < object[1].length; i++) {
          const [key, value] = object[1][i] as [SavedValue, SavedValue];
          map.set(this.#value(key), this.#value(value));
        }
        break;
      }
      case 'set': {
        const set = this.#made[number] as Set<unknown>;
        set.clear();
        for (let i = 0; i < object[1].length; i++) set.add(this.#value(object[1][i] as SavedValue));
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

  #fillProperties(target: Record<string, unknown>, properties: readonly [string, SavedValue][]): void {
    for (let i = 0; i < properties.length; i++) {
      const [key, value] = properties[i] as [string, SavedValue];
      // An assignment to __proto__ would do something else.
      define(target, key, { value: this.#value(value), writable: true, enumerable: true, configurable: true });
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
