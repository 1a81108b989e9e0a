/** DuckDB, loaded by `require`: to import a package of CommonJS, Node looks through all of its files for the names that they export. */
import { createRequire } from 'node:module';
import { delimiter } from 'node:path';
import type * as DuckDB from '@duckdb/node-api';
import { loadLibrary } from './compiled-library.ts';

/** The file that holds the package, when it was put into one, and the file with V8's code cache of it. */
const [file, compiled] = process.env.SLUICEBOX_DUCKDB?.split(delimiter) ?? [];

export const duckdb = (
  file === undefined ? createRequire(import.meta.url)('@duckdb/node-api') : loadLibrary(file, compiled).exports
) as typeof DuckDB;
