/** Values that survive a restart of the window; checked when read, since an older version may have written them. */

export type Check<T> = (value: unknown) => value is T;

export interface TextStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const PREFIX = 'sluicebox.';

/** The saved value, or the fallback when there is none or it is not of the shape. */
export function readSaved<T>(store: TextStore, key: string, fallback: T, check: Check<T>): T {
  try {
    const text = store.getItem(PREFIX + key);
    if (text === null) return fallback;
    const value: unknown = JSON.parse(text);
    return check(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

/** Saves the value. If the store is full or forbidden, the value is just not saved. */
export function writeSaved(store: TextStore, key: string, value: unknown): void {
  try {
    store.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    return;
  }
}

export const isString: Check<string> = (value) => typeof value === 'string';
export const isNumber: Check<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';

/** Checks for one of these texts. */
export function isOneOf<T extends string>(...allowed: readonly T[]): Check<T> {
  return (value): value is T => allowed.includes(value as T);
}

export function isArrayOf<T>(check: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(check);
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

/** Checks for an object with all of these members. */
export function isShape<T extends object>(members: { readonly [K in keyof T]: Check<T[K]> }): Check<T> {
  return (value): value is T => {
    if (typeof value !== 'object' || value === null) return false;
    const record = value as Record<string, unknown>;
    return Object.entries<Check<unknown>>(members as Record<string, Check<unknown>>).every(([name, check]) => check(record[name]));
  };
}
