import { isHeaderColumn } from '../../../../engine/api/columns.ts';
import { activeTerms, type Filter } from './filter.ts';

/** Texts and regular expressions, which are passed over, and the names of variables. */
const PARTS = /[=!]~\s*\/(?:\\.|[^/\\])*\/|'(?:\\'|[^'])*'|"(?:\\"|[^"])*"|Fields\[([^\]]+)\]|([A-Z]\w+)/g;
/** Fields that say how a record was read. */
const OF_READING = /^(?:decode_|undated$)/;

/** The fields and headers that a filter names and that can be columns, each once. */
export function namedFields(filter: Filter): string[] {
  const names = activeTerms(filter)
    .filter(({ kind }) => kind === 'matcher')
    .flatMap(({ text }) =>
      Array.from(text.matchAll(PARTS), ([, field, word]) => field ?? (word !== undefined && isHeaderColumn(word) ? word : '')),
    );
  return [...new Set(names)].filter((name) => name !== '' && !OF_READING.test(name));
}
