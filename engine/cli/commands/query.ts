import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { QueryResult } from '../../ask/asker.ts';
import { writeCsv, writeJson } from '../../ask/result-text.ts';
import { atTerminal, terminalColumns } from '../../base/process/terminal.ts';
import { Exit, UsageError, type Command } from '../command.ts';
import { DECODING_HELP, DECODING_OPTIONS, SELECTION_OPTIONS, TIME_HELP } from '../decoding-options.ts';
import type { Output } from '../output.ts';
import { answerFrom } from '../query/answer.ts';
import { printTable } from '../query/result-forms.ts';
import { temporaryFolder } from '../query/temporary-folder.ts';
import { parseArguments, parseChoice, takeLookups } from '../settings.ts';
import { selectionOf } from '../view/selection.ts';
import { withDashesJoined } from '../view/times.ts';

const help = `Usage: sluicebox query [OPTIONS] FILE… 'SQL'
       sluicebox query --store DIR [OPTIONS] 'SQL'

Decodes log files and runs SQL on them, in the dialect of DuckDB. Each file is a table by the stem of its name: access.log, access.log.1 and
access.log.2.gz are the table access, other characters than letters and digits become _, and standard input (-) is stdin. The columns are
the time of the messages, their fields and their headers, by type. The table messages has those of all files, with the column "table".
A folder stands for the files in it, an archive (tar, zip) for the logs in it, a pattern ('/var/log/**/*.log') for the files that it fits.

  sluicebox query access.log 'SELECT status, count(*) FROM access GROUP BY 1'
  sluicebox query access.log 'DESCRIBE access'          the columns and their types

A query is one SELECT. It can read the tables only, no other file and no network, and it cannot write. What no decoder takes is in the
table with its text, decode_error and the time and level that are found in it; standard error says how much that is.

  -w, --where EXPRESSION    the tables have only the messages that an expression selects, such as 'level:error' or 'status:5xx -uri:/health'
${TIME_HELP}      --store DIR           reads the tables of a store, which sluicebox import fills, or of a lake, into which services write, instead of files
      --format table|csv|json|parquet
                            how the result is printed (table); json: an object a line
      --crlf                ends the lines of csv as RFC 4180 has it, not as other programs of a shell do
      --wide                prints a table as wide as it is; otherwise, a table at a terminal is fitted to its width: texts are cut, columns left out
      --memory MIB          memory of the query (1024); what does not fit goes to a temporary file
${DECODING_HELP}`;

const FORMS: Readonly<Record<'table' | 'csv' | 'json' | 'parquet', (result: QueryResult, out: Output) => Promise<number>>> = {
  table: (result, out) => printTable(result, out, terminalColumns()),
  csv: (result, out) => writeCsv(result, out, '\n'),
  json: writeJson,
  parquet: printParquet,
};

async function printParquet(result: QueryResult, out: Output): Promise<number> {
  const { parquetOf, ResultTooLargeError } = await import('../../ask/result-parquet.ts');
  try {
    const { bytes, rows } = await parquetOf(result);
    await out.write(bytes);
    return rows;
  } catch (error) {
    throw error instanceof ResultTooLargeError ? new UsageError(error.message, { cause: error }) : error;
  }
}

export const query: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    const { values, positionals } = parseArguments(withDashesJoined(args), {
      store: { type: 'string' },
      format: { type: 'string', default: 'table' },
      ...DECODING_OPTIONS,
      ...SELECTION_OPTIONS,
      wide: { type: 'boolean', default: false },
      crlf: { type: 'boolean', default: false },
      memory: { type: 'string', default: '1024' },
    });
    const sql = positionals.at(-1);
    const files = positionals.slice(0, -1);
    if (values.store !== undefined && files.length > 0) throw new UsageError('query asks a store or files: give one of them');
    if (values.store !== undefined && (values.where ?? values.since ?? values.until) !== undefined)
      throw new UsageError('--where, --since and --until are for files: in a store, WHERE of the query selects');
    takeLookups(values);
    const where = selectionOf(values);
    if (sql === undefined || (files.length === 0 && values.store === undefined))
      throw new UsageError(
        "query needs a file (- is standard input) and a query, as in: sluicebox query access.log 'SELECT count(*) FROM access'",
      );
    if (existsSync(sql)) throw new UsageError(`the query comes last, and ${sql} is a file`);
    if (values.format === 'parquet' && atTerminal())
      throw new UsageError('--format parquet writes bytes: send them to a file (> result.parquet)');
    const format = parseChoice('--format', values.format, ['table', 'csv', 'json', 'parquet']);
    if (values.wide && format !== 'table') throw new UsageError('--wide is for --format table');
    if (values.crlf && format !== 'csv') throw new UsageError('--crlf is for --format csv');
    const print = values.wide ? printTable : values.crlf ? writeCsv : FORMS[format];
    if (!/^[1-9]\d{1,6}$/.test(values.memory)) throw new UsageError(`--memory must be a number of MiB from 10 on, not '${values.memory}'`);
    const folder = await temporaryFolder();
    try {
      const asked = { folder, sql, memoryMib: Number(values.memory), print };
      // A store that is there already is asked without what decodes files.
      if (values.store !== undefined) return await (await import('../store/stored-tables.ts')).askStore(values.store, asked, context);
      const [{ parseDecoding }, { storeFiles }] = await Promise.all([import('../file-decoders.ts'), import('../query/file-tables.ts')]);
      const decoding = parseDecoding(values, context.complain);
      return await answerFrom(await storeFiles(files, sql, { decoding, folder, where }, context), asked, context);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
