import type { SourceInfo } from '../../api/types.ts';
import type { SeenHeaders } from './seen-headers.ts';

const MOST_COLUMNS = 5;
const MOST_OF_OTHERS = 4;
/** The same where the fields are all that the records say: the window shows as many as it has room for. */
const MOST_OF_TABLE = 12;

/** Fields whose lengths are told: the others have columns of the usual width if someone adds them. */
const MOST_MEASURED = 64;

/** The table of records without fields. */
export const NO_TABLE = { columns: [], tabular: false, lengths: {} } as const;

/** Facts about the first records of a source. */
interface SeenFields {
  /** Names of fields, in their order. */
  readonly fields: readonly string[];
  /** Characters of the longest values of fields. */
  readonly lengths: ReadonlyMap<string, number>;
  readonly headers: Pick<SeenHeaders, 'several'>;
  /** Whether messages have texts of their own. */
  readonly texts: boolean;
}

/**
 * The default columns of a table: the fields that the decoder names, as far as the records have them; else the first fields. Fields that
 * begin with an underscore come last: the journal adds many of them itself.
 * @param named the fields in the decoder's meta
 * @param seen host and logger come first where the records differ in them
 */
export function tableOf(
  named: readonly string[] | undefined,
  { fields, lengths, headers, texts }: SeenFields,
): Pick<SourceInfo, 'columns' | 'tabular' | 'lengths'> {
  const tabular = named === undefined && !texts && fields.length > 0;
  const columns = fieldColumns(named, fields, tabular ? MOST_OF_TABLE : MOST_OF_OTHERS);
  return {
    columns: [...headers.several.filter((header) => header !== 'Pid'), ...columns],
    tabular,
    lengths: Object.fromEntries([...lengths].slice(0, MOST_MEASURED)),
  };
}

function fieldColumns(named: readonly string[] | undefined, seen: readonly string[], most: number): string[] {
  if (named !== undefined) return named.filter((name) => seen.includes(name)).slice(0, MOST_COLUMNS);
  const shown = seen.filter((name) => !name.startsWith('decode_') && !name.startsWith('__'));
  const isInner = (name: string): boolean => name.startsWith('_');
  return [...shown.filter((name) => !isInner(name)), ...shown.filter(isInner)].slice(0, most);
}
