/** Words that are no names unless they are in quotes: DuckDB's reserved ones, and those that are functions or types. */
const RESERVED = new Set(
  (
    'all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default deferrable desc describe distinct do else end ' +
    'except false fetch for foreign from grant group having in initially intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer ' +
    'pivot_wider placing primary qualify references returning select show some summarize symmetric table then to trailing true union unique unpivot using variadic when ' +
    'where window with ' +
    'anti asof at authorization binary by collation concurrently cross freeze full glob ilike inner is isnull join left like natural notnull outer overlaps positional right ' +
    'semi similar tablesample unpack verbose'
  ).split(' '),
);

/** A name as SQL takes it: in quotes where it must be. */
export function identifier(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`;
}
