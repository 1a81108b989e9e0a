export { compileMatcher, variables, type Matcher } from './matcher.ts';
export { MatcherError } from './errors.ts';
export type { NumberVariable, TextVariable, Variables } from './ast.ts';
export { compilePattern, PatternError, type Pattern } from './regex/pattern.ts';
