import type { DuckDBConnection } from '@duckdb/node-api';
import { duckdb } from './duckdb.ts';
import { FIELD_MACROS } from './field-sql.ts';
import { ipIn } from './ip-in.ts';
import { inLookup, lookedUp } from './lookups.ts';
import type { Question } from './protocol.ts';
import { quantityNumber } from './quantity-number.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Opens DuckDB with the tables of a question. From then on it reads the given files and no others, and its configuration is locked. */
export async function openTables({ tables, files, spill, memoryMib }: Omit<Question, 'sql'>): Promise<DuckDBConnection> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    memory_limit: `${memoryMib}MiB`,
    temp_directory: spill,
    max_temp_directory_size: '4GiB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
    errors_as_json: 'true',
  });
  const connection = await instance.connect();
  await connection.run(`SET allowed_paths = [${files.map(quoted).join(', ')}]`);
  await connection.run('SET enable_external_access = false');
  for (const made of [ipIn(), inLookup(), lookedUp(), quantityNumber()]) connection.registerScalarFunction(made);
  for (const macro of FIELD_MACROS) await connection.run(macro);
  for (const { name, select } of tables) await connection.run(`CREATE VIEW ${identifier(name)} AS ${select}`);
  await connection.run('SET lock_configuration = true');
  return connection;
}
