/** DuckDB, loaded by `require`: to import a package of CommonJS, Node looks through all of its files for the names that they export. */
import { createRequire } from 'node:module';
import type * as DuckDB from '@duckdb/node-api';

/** The file that holds the package, when it was put into one. */
const { SLUICEBOX_DUCKDB: file = '@duckdb/node-api' } = process.env;

export const duckdb = createRequire(import.meta.url)(file) as typeof DuckDB;
