import { toText } from './intrinsics.ts';

/** The place of an object: the variable, and the keys that lead from it to the object. */
export function placeOf(object: number, holders: readonly number[], keys: readonly (string | number)[]): string {
  return placeIn(holders[object] as number, keys[object] as string | number, holders, keys);
}

/** Of a place with more keys, the last ones are left out. */
const MAX_KEYS = 8;

/** The place of what stands under a key in an object. */
export function placeIn(holder: number, key: string | number, holders: readonly number[], keys: readonly (string | number)[]): string {
  const path: (string | number)[] = [key];
  for (let at = holder; at >= 0; at = holders[at] as number) path.push(keys[at] as string | number);
  path.reverse();
  let place = shortened(toText(path[0]));
  for (let i = 1; i < path.length && i <= MAX_KEYS; i++) {
    const step = path[i] as string | number;
    place += typeof step === 'number' ? `[${step}]` : `.${shortened(step)}`;
  }
  return path.length - 1 > MAX_KEYS ? `${place}…` : place;
}

const MAX_NAME = 80;

const shortened = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);
