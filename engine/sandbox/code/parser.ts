import type * as Acorn from 'acorn';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The parser of scripts, loaded with the first one that is parsed: mostly what it is for was made at an earlier start. */
export const acorn = (): typeof Acorn => require('acorn') as typeof Acorn;
