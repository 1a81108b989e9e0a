import type { RuleProblem } from './model.ts';

/** A problem of a rule in one line, with its place. */
export const problemText = ({ file, line, rule, text }: RuleProblem): string => `${file}:${line}: ${rule === '' ? '' : `${rule}: `}${text}`;
