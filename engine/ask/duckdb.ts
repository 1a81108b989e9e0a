/** DuckDB, loaded by `require`: to import a package of CommonJS, Node looks through all of its files for the names that they export. */
import { createRequire } from 'node:module';
import type * as DuckDB from '@duckdb/node-api';

export const duckdb = createRequire(import.meta.url)('@duckdb/node-api') as typeof DuckDB;
