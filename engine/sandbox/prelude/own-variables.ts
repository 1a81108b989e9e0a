import { takeBlock } from './block.ts';
import { objectKeys } from './intrinsics.ts';
import { formOf, saveState } from './save.ts';

/** A variable of a script's top level that is no global one. */
export interface OwnVariable {
  /** The same each time the script is loaded. */
  readonly key: string;
  readonly get: () => unknown;
  /** Absent for constants: what such an object holds can be put back all the same. */
  readonly set: ((value: unknown) => void) | undefined;
}

type Access = readonly [get: () => unknown, set?: (value: unknown) => void];

/** Those that hold what can be kept, of all scripts and modules that were loaded. */
export const ownVariables: OwnVariable[] = [];
let scripts = 0;

/** Called at the end of each script that has any. */
export function addOwnVariables(table: Readonly<Record<string, Access>>): void {
  const names = objectKeys(table);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const [get, set] = table[name] as Access;
    if (isKept(get(), set !== undefined)) ownVariables.push({ key: `${scripts}:${name}`, get, set });
  }
  scripts++;
}

function isKept(value: unknown, mayBeAssigned: boolean): boolean {
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  return typeof value === 'object' && value !== null ? formOf(value) !== null : mayBeAssigned;
}

/** From now on does without those that reach what cannot be kept. */
export function dropUnkeepable(): void {
  for (let i = ownVariables.length - 1; i >= 0; i--) {
    if (!canBeSaved([ownVariables[i] as OwnVariable])) ownVariables.splice(i, 1);
  }
}

function canBeSaved(own: readonly OwnVariable[]): boolean {
  try {
    saveState(own);
    return true;
  } catch {
    return false;
  } finally {
    takeBlock();
  }
}
