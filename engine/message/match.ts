/**
 * `exec` of a regular expression as it was before any script ran: in an isolate, whose scripts may change how their own expressions work, the
 * prelude's must not follow.
 */

const exec = Reflect.get(RegExp.prototype, 'exec');
const apply = Reflect.apply as (method: typeof exec, pattern: RegExp, args: [text: string]) => RegExpExecArray | null;

export function match(pattern: RegExp, text: string): RegExpExecArray | null {
  return apply(exec, pattern, [text]);
}
