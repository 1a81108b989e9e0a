import { objectKeys } from './intrinsics.ts';
import { isUnkeepableValue } from './state/forms.ts';

/** A variable at a script's top level that is not global. */
export interface ScriptVariable {
  /** Identifies the variable; the same each time the script is loaded. */
  readonly key: string;
  readonly get: () => unknown;
  /** Absent for constants, whose objects are restored in place. */
  readonly set: ((value: unknown) => void) | undefined;
}

type Access = readonly [get: () => unknown, set?: (value: unknown) => void];

/** The own variables of all loaded scripts and modules, as far as their values can be saved. */
export const scriptVariables: ScriptVariable[] = [];
let scripts = 0;

/** Registers the own variables of a script; its instrumented code calls this at its end. */
export function addScriptVariables(table: Readonly<Record<string, Access>>): void {
  const names = objectKeys(table);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const [get, set] = table[name] as Access;
    const value = get();
    const mayChange = set !== undefined || (typeof value === 'object' && value !== null);
    if (mayChange && !isUnkeepableValue(value)) scriptVariables.push({ key: `${scripts}:${name}`, get, set });
  }
  scripts++;
}
