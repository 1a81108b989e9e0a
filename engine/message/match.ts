/**
 * The original `exec` of regular expressions, from before any script ran. In an isolate, scripts may change how their own expressions work; the
 * prelude's must not change with them.
 */

const exec = Reflect.get(RegExp.prototype, 'exec');
const apply = Reflect.apply as (method: typeof exec, pattern: RegExp, args: [text: string]) => RegExpExecArray | null;

export function match(pattern: RegExp, text: string): RegExpExecArray | null {
  return apply(exec, pattern, [text]);
}
