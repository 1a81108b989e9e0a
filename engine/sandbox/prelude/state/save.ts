import { announce } from '../block.ts';
import { stateStepsAreSpent } from '../counter.ts';
import { describeThrown } from '../errors.ts';
import {
  classNameOf,
  eachEntry,
  eachMember,
  formOf,
  partsOfView,
  sizeOfBuffer,
  timeOfDate,
  whyUnkept,
  type Form,
  type Saveable,
} from './forms.ts';
import { getDescriptor, objectKeys, stringify, toText } from '../intrinsics.ts';
import type { ScriptVariable } from '../script-variables.ts';
import { placeIn, placeOf } from '../places.ts';
import { isSavedKey } from './saved.ts';

/** Name of the global variable with the version of a script's state; it is not saved as a variable. */
export const VERSION = '_PRESERVATION_VERSION';

/** A state as text, and what of it is not in there. */
export interface SavedState {
  readonly text: string;
  /** Variables with data that cannot be kept: their places, and why. */
  readonly unkept: readonly string[];
}

/** Names of the script's global variables. */
export function globalNames(): string[] {
  return objectKeys(globalThis).filter((name) => !isSpecial(name));
}

/** Whether a global variable of this name is saved, if there is one: what is built in is not enumerable. */
export function isVariable(name: string): boolean {
  return !isSpecial(name) && getDescriptor(globalThis, name)?.enumerable !== false;
}

const isSpecial = (name: string): boolean => name === VERSION || name === 'gc';

/**
 * Describes the script's state as text; the block must be taken next. What cannot be saved is left out.
 * @param own for a checkpoint: own variables of scripts, which are saved before the global ones
 */
export function saveState(own: readonly ScriptVariable[] | null = null): SavedState {
  return new Saver(own !== null).save(own ?? []);
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

/** Most places of variables that are not kept that are told. */
const MAX_UNKEPT = 20;

const FUNCTION = '["s","a function"]';
const SYMBOL = '["s","a symbol"]';
const ACCESSOR = '["s","an accessor"]';

class Saver {
  readonly #isCheckpoint: boolean;
  readonly #numbers = new Map<object, number>();
  readonly #pending: object[] = [];
  readonly #forms: Form[] = [];
  /** The object that each was found in, and its key there. Those of variables are found in -1. */
  readonly #holders: number[] = [];
  readonly #keys: (string | number)[] = [];
  readonly #text = new TextBuilder();
  readonly #unkept: string[] = [];
  /** The object that is being described. */
  #current = -1;

  constructor(isCheckpoint: boolean) {
    this.#isCheckpoint = isCheckpoint;
  }

  save(own: readonly ScriptVariable[]): SavedState {
    const names = globalNames();
    this.#text.add(this.#isCheckpoint ? `["own",${own.length}` : '["globals"');
    for (let i = 0; i < own.length; i++) {
      const { key, get } = own[i] as ScriptVariable;
      this.#item(stringify(key));
      this.#item(this.#value(get(), key));
    }
    for (let i = 0; i < names.length; i++) this.#property(globalThis, names[i] as string);
    // Objects are described one after the other, not one inside the other: a long list must not exhaust the stack.
    for (let i = 0; i < this.#pending.length; i++) {
      const form = this.#forms[i] as Form;
      this.#current = i;
      this.#text.add(`]\n["${form}"`);
      this.#tryToDescribe(this.#pending[i] as object, form);
    }
    this.#text.add(']');
    return { text: this.#text.take(), unkept: this.#unkept };
  }

  #item(text: string): void {
    this.#text.add(`,${text}`);
  }

  /** Adds a property, with its name, without running code of the script. */
  #property(object: object, key: string): void {
    const value = this.#valueOf(object, key);
    this.#item(stringify(key));
    this.#item(value);
  }

  #valueOf(object: object, key: string | number): string {
    const descriptor = getDescriptor(object, key);
    if (descriptor === undefined) return '["h"]';
    return descriptor.get !== undefined || descriptor.set !== undefined ? ACCESSOR : this.#value(descriptor.value, key);
  }

  #value(value: unknown, key: string | number): string {
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
        return value === null ? 'null' : this.#object(value, key);
      default:
        return typeof value === 'function' ? FUNCTION : SYMBOL;
    }
  }

  #object(object: object, key: string | number): string {
    const known = this.#numbers.get(object);
    if (known !== undefined) return `["o",${known}]`;
    const form = this.#formOf(object);
    if (typeof form === 'object') {
      if (form.holdsData) this.#note(key, form.why);
      return `["s",${stringify(form.why)}]`;
    }
    return `["o",${this.#add(object, form, key)}]`;
  }

  /** The form of an object, or why it has none. */
  #formOf(object: object): Form | ReturnType<typeof whyUnkept> {
    try {
      return formOf(object) ?? whyUnkept(object);
    } catch (error) {
      return { why: reasonOf(error), holdsData: true };
    }
  }

  #add(object: object, form: Form, key: string | number): number {
    const number = this.#pending.length;
    this.#numbers.set(object, number);
    this.#pending.push(object);
    this.#forms.push(form);
    this.#holders.push(this.#current);
    this.#keys.push(key);
    return number;
  }

  /** Notes what is not kept. Without a key, that is in the current object. */
  #note(key: string | number | null, why: string): void {
    if (this.#isCheckpoint || this.#unkept.length >= MAX_UNKEPT) return;
    const place = key === null ? placeOf(this.#current, this.#holders, this.#keys) : placeIn(this.#current, key, this.#holders, this.#keys);
    const note = `${place} (${why})`;
    if (!this.#unkept.includes(note)) this.#unkept.push(note);
  }

  /** Describes an object. One whose own code throws is marked as lost: the others are kept all the same. */
  #tryToDescribe(object: object, form: Form): void {
    try {
      this.#describe(object, form);
    } catch (error) {
      this.#note(null, reasonOf(error));
      this.#item('["x"]');
    }
  }

  #describe(object: object, form: Form): void {
    switch (form) {
      case 'list':
        return this.#list(object as unknown[]);
      case 'array':
        return this.#elements(object as unknown[]);
      case 'map':
        return this.#entries(object);
      case 'set':
        return eachMember(object, (value) => this.#item(this.#value(value, '(member)')));
      case 'date':
        return this.#item(this.#value(timeOfDate(object), ''));
      case 'buffer':
        return this.#buffer(object as ArrayBuffer);
      case 'view':
        return this.#view(object as ArrayBufferView);
      case 'class':
        this.#item(stringify(classNameOf(object)));
        return this.#item(this.#savedForm(object as Saveable));
      case 'instance':
        this.#item(stringify(classNameOf(object)));
        return this.#properties(object);
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
    for (let i = 0; i < length; i++) this.#item(this.#valueOf(array, i));
  }

  /** Adds the existing elements with their indexes. */
  #elements(array: unknown[]): void {
    this.#item(toText(array.length));
    const keys = objectKeys(array);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const index = +key;
      if (toText(index) !== key || index < 0 || index >= array.length) continue;
      const value = this.#valueOf(array, index);
      this.#item(key);
      this.#item(value);
    }
  }

  #entries(map: object): void {
    let unkept = 0;
    eachEntry(map, (value, key) => {
      if (isSavedKey(key) || (this.#isCheckpoint && typeof key === 'object')) {
        this.#item(this.#value(key, '(key)'));
        this.#item(this.#value(value, typeof key === 'number' || typeof key === 'string' ? key : '(entry)'));
      } else unkept++;
    });
    if (unkept > 0) this.#note(null, `${unkept} of its entries: their keys are objects, functions or symbols`);
  }

  /** A detached buffer is saved as an empty one. */
  #buffer(buffer: ArrayBuffer): void {
    const length = sizeOfBuffer(buffer);
    this.#item(toText(announce(length === 0 ? new Uint8Array(0) : new Uint8Array(buffer), length)));
    this.#item(toText(length));
  }

  #view(view: ArrayBufferView): void {
    const { type, buffer, at, length } = partsOfView(view);
    const number = this.#numbers.get(buffer) ?? this.#add(buffer, 'buffer', 'buffer');
    this.#item(`"${type}",${number},${at},${length}`);
  }

  #savedForm(object: Saveable): string {
    const saved = object.toSaved();
    const text = this.#value(saved, 'toSaved()');
    if (text.startsWith('["s"')) throw new TypeError('what toSaved returned cannot be kept');
    return text;
  }
}

/** The reason for which a script's own code has failed at an object. */
function reasonOf(error: unknown): string {
  if (stateStepsAreSpent()) throw error;
  return `its own code failed: ${describeThrown(error)[0].slice(0, MAX_REASON)}`;
}

/** Of the reason of a script's own code, this much is told. */
const MAX_REASON = 100;
