import type * as DuckDB from '@duckdb/node-api';
import { NetworkError, parseNetworks, type Networks } from '../base/text/networks.ts';
import { duckdb } from './duckdb.ts';

/** Lists of networks that are remembered: most queries have one. */
const MOST_KEPT = 100;

/**
 * The function `ip_in(address, networks)` of queries, which does what `in` does in matchers: whether a text is an address of a network such as
 * `10.0.0.0/8`, or of one of several with commas between them. null for null.
 */
export function ipIn(): DuckDB.DuckDBScalarFunction {
  const known = new Map<string, Networks>();
  const networksOf = (text: string): Networks => {
    const found = known.get(text) ?? parsed(text);
    if (known.size < MOST_KEPT) known.set(text, found);
    return found;
  };
  return duckdb.DuckDBScalarFunction.create({
    name: 'ip_in',
    parameterTypes: [duckdb.VARCHAR, duckdb.VARCHAR],
    returnType: duckdb.BOOLEAN,
    mainFunction: (_info, input, output) => {
      const [addresses, networks] = [input.getColumnVector(0), input.getColumnVector(1)];
      for (let row = 0; row < input.rowCount; row++) {
        const [address, list] = [addresses.getItem(row) as string | null, networks.getItem(row) as string | null];
        output.setItem(row, address === null || list === null ? null : networksOf(list).contains(address, 0, address.length));
      }
      output.flush();
    },
  });
}

/** @throws {Error} with a text for whoever asks */
function parsed(text: string): Networks {
  try {
    return parseNetworks(text);
  } catch (cause) {
    if (!(cause instanceof NetworkError)) throw cause;
    throw new Error(`ip_in: '${cause.part}' in column ${cause.at + 1} of the networks is none: ${cause.message}`, { cause });
  }
}
