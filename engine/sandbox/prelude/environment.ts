import { kindOf } from './arguments.ts';
import { isArray, objectKeys } from './intrinsics.ts';
import { state } from './state/state.ts';

/** `read_config` of the scripts' interface. Declared defaults are in the configuration already. */
export function read_config(name: string): string | number | boolean | null {
  if (arguments.length !== 1) throw new TypeError(`read_config: one argument, not ${arguments.length}`);
  if (typeof name !== 'string') throw new TypeError(`read_config: the name must be a string, not ${kindOf(name)}`);
  const { config } = state.setup;
  const value: unknown = objectKeys(config).includes(name) ? config[name] : null;
  if (isArray(value)) return Number(value[0]);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

const loaded = new Map<string, unknown>();
const modules = new Set<unknown>();

/** Whether an object is what a module exports. */
export function isModule(object: object): boolean {
  return modules.has(object);
}

/** `require` of the scripts' interface. */
export function require(name: string): unknown {
  if (arguments.length !== 1) throw new TypeError(`require: one argument, not ${arguments.length}`);
  if (typeof name !== 'string') throw new TypeError(`require: the name must be a string, not ${kindOf(name)}`);
  if (loaded.has(name)) return loaded.get(name);
  const exports = state.host.load(name);
  loaded.set(name, exports);
  modules.add(exports);
  return exports;
}

/** `compile_function` of the scripts' interface. */
export function compile_function(parameters: readonly string[], body: string, scope: Readonly<Record<string, unknown>> = {}): unknown {
  if (!isArray(parameters)) throw new TypeError('compile_function: the parameters must be a list of names');
  if (typeof body !== 'string') throw new TypeError(`compile_function: the body must be a string, not ${kindOf(body)}`);
  const names = listOf(parameters);
  const scopeNames = objectKeys(scope);
  const values: unknown[] = [];
  for (let i = 0; i < scopeNames.length; i++) values.push(scope[scopeNames[i] as string]);
  const bind = state.host.compile(names, body, listOf(scopeNames));
  return bind(...values);
}

function listOf(names: readonly unknown[]): string {
  const checked: string[] = [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (typeof name !== 'string' || !isName(name)) throw new TypeError('compile_function: a name is not an identifier');
    checked.push(name);
  }
  return checked.join(',');
}

function isName(name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    const letter = (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95 || unit === 36;
    if (!letter && (i === 0 || unit < 48 || unit > 57)) return false;
  }
  return name.length > 0;
}
