import { takeBlock } from './block.ts';
import { objectKeys } from './intrinsics.ts';
import { formOf, saveState } from './save.ts';

/** A variable at a script's top level that is not global. */
export interface OwnVariable {
  /** Identifies the variable; the same each time the script is loaded. */
  readonly key: string;
  readonly get: () => unknown;
  /** Absent for constants, whose objects are restored in place. */
  readonly set: ((value: unknown) => void) | undefined;
}

type Access = readonly [get: () => unknown, set?: (value: unknown) => void];

/** The own variables of all loaded scripts and modules, as far as their values can be saved. */
export const ownVariables: OwnVariable[] = [];
let scripts = 0;

/** Registers the own variables of a script; its instrumented code calls this at its end. */
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

/** Removes the own variables that reach values that cannot be saved. */
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
