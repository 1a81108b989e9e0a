import type * as DuckDB from '@duckdb/node-api';
import { quantityOf } from '../base/text/quantity.ts';
import { duckdb } from './duckdb.ts';

/** The function `quantity_number(text)` of queries: a duration such as `2h5m` in seconds, a size such as `1.5kB` in bytes; null for any other text. */
export function quantityNumber(): DuckDB.DuckDBScalarFunction {
  return duckdb.DuckDBScalarFunction.create({
    name: 'quantity_number',
    parameterTypes: [duckdb.VARCHAR],
    returnType: duckdb.DOUBLE,
    mainFunction: (_info, input, output) => {
      const texts = input.getColumnVector(0);
      for (let row = 0; row < input.rowCount; row++) {
        const text = texts.getItem(row) as string | null;
        output.setItem(row, text === null ? null : quantityOf(text));
      }
      output.flush();
    },
  });
}
