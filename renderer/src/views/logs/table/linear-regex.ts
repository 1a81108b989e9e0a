import { RE2JS } from 're2js';
import type { CompileRegex } from './highlight.ts';

/**
 * Regular expressions in linear time: a typed pattern must not hang the window. The syntax is that of RE2
 * (https://github.com/google/re2/wiki/Syntax), which the engine filters by.
 */
export const compileLinear: CompileRegex = (pattern, caseSensitive, group = 0) => {
  try {
    const compiled = RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
    return (text, from) => {
      const matcher = compiled.matcher(text);
      return matcher.find(from) ? { start: matcher.start(group), end: matcher.end(group) } : null;
    };
  } catch {
    return null;
  }
};
