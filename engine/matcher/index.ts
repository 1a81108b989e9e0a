export { compileMatcher, variables, type Matcher } from './matcher.ts';
export { MatcherError } from './errors.ts';
export { NUMBER_VARIABLES, TEXT_VARIABLES, type NumberVariable, type TextVariable, type Variables } from './ast.ts';
export { compilePattern, PatternError, type Pattern } from './regex/pattern.ts';
