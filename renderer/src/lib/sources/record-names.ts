import type { SourceInfo } from '../../../../engine/api/types.ts';

/** A record as answers, lists and people name it: `access.log#120` is the 120th record of that file. */
export interface RecordName {
  /** Name, end of a path, or path. */
  readonly file: string;
  /** From 1. */
  readonly number: number;
}

/** Reads the name of a record; null: it is none. */
export function parseRecordName(text: string): RecordName | null {
  const [, file = '', number = ''] = /^\s*:?\s*(.*\S)\s*#\s*(\d{1,15})\s*$/.exec(text) ?? [];
  return file === '' || Number(number) === 0 ? null : { file, number: Number(number) };
}

/** The sources that a name may mean: one of that location or label alone, or else those whose path ends so. */
export function sourcesNamed<S extends Pick<SourceInfo, 'label' | 'location'>>(sources: readonly S[], file: string): S[] {
  const exact = sources.filter(({ label, location }) => location === file || label === file);
  if (exact.length === 1) return exact;
  return sources.filter(({ location }) => endsSo(location.replaceAll('\\', '/'), file.replaceAll('\\', '/')));
}

/** Labels leave out folders between two others: `web1/…/access.log`. */
function endsSo(location: string, file: string): boolean {
  const [head = '', tail] = file.split('/…/');
  if (tail === undefined) return location === file || location.endsWith(`/${file}`);
  return location.endsWith(`/${tail}`) && `${location.slice(0, -tail.length)}`.includes(`/${head}/`);
}
