import type { SourceInfo } from '../../../../engine/api/types.ts';
import { formatBytes } from '../../../../engine/api/quantities.ts';
import { formatRate, formatSpan, plural } from '../format.ts';

/** A word for each state of a source. */
const STATE_WORDS: Readonly<Record<SourceInfo['state'], string>> = {
  opening: 'Opening',
  reading: 'Reading',
  following: 'Following',
  gone: 'Deleted',
  listening: 'Listening',
  paused: 'Stopped',
  ended: 'Ended',
  failed: 'Failed',
  closed: 'Closed',
};

/** The word for the state of a source. */
export const stateWord = ({ state, stored }: SourceInfo): string =>
  stored === true && state === 'following' ? 'Read from a store' : STATE_WORDS[state];

/** The progress of reading: `12.3 of 98 MB · 45 MB/s · 2 s left`, or `12.3 of 98 MB · 12 %` of one that was stopped. */
export function progressText(source: SourceInfo, byteRate: number | null, timeLeft: number | null): string {
  // Its length is not known yet.
  if (source.state === 'opening' && source.totalBytes === 0) return 'Opening…';
  const parts = [`${formatBytes(source.bytes)} of ${formatBytes(source.totalBytes)}`];
  if (isHeld(source)) return [...parts, `${Math.floor(100 * progressPart(source))} %`].join(' · ');
  if (byteRate !== null && byteRate > 0) parts.push(`${formatBytes(byteRate)}/s`);
  if (timeLeft !== null && timeLeft > 0) parts.push(`${formatSpan(Math.max(1000, timeLeft))} left`);
  return parts.join(' · ');
}

/** The part that is read, 0 to 1. */
export function progressPart(source: SourceInfo): number {
  return source.totalBytes > 0 ? Math.min(1, source.bytes / source.totalBytes) : 0;
}

/** Whether it still reads towards the end. */
export function isBusy(source: SourceInfo): boolean {
  return source.state === 'opening' || source.state === 'reading';
}

/** Whether it is a file that was stopped on the way to its end. */
export function isHeld(source: SourceInfo): boolean {
  return source.kind === 'file' && source.state === 'paused';
}

/** Whether it can be stopped and started without being closed. */
export function isRun(source: SourceInfo): boolean {
  return source.kind === 'command' || source.kind === 'workstation';
}

/** The end of a source in words; null: it has not ended. */
export function endText({ kind, state, end }: SourceInfo): string | null {
  if (state === 'paused') return kind === 'file' ? 'stopped before its end' : 'stopped';
  if (end === undefined || state !== 'ended') return null;
  return end.signal === null ? `ended, exit status ${end.status}` : `ended by ${end.signal}`;
}

/** Says how many of its records were not decoded; null: all were. */
export function failuresText({ failures }: SourceInfo): string | null {
  if (failures === 0) return null;
  return `${plural(failures, 'record')} could not be decoded and ${failures === 1 ? 'is' : 'are'} shown raw.`;
}

/** Whether its command has failed. */
export function isIll({ state, end }: SourceInfo): boolean {
  return state === 'ended' && end !== undefined && end.status !== 0;
}

/** The name of the decoder, such as `nginx_access`, with the confidence when it was detected; `raw` when there is none. */
export function decoderText(source: SourceInfo): string {
  if (source.kind === 'workstation') return 'statistics';
  if (source.decoder === null) return 'raw';
  const { by, confidence } = source.decoder;
  // For a script of the user, its file name.
  const name = source.decoder.name.replace(/^.*[/\\]/, '');
  return by === 'detected' && confidence < 0.995 ? `${name} (${Math.round(confidence * 100)} % sure)` : name;
}

/** Advice about a source whose lines no decoder knows, shown behind its name; null: one knows them, the user chose one, or there is nothing yet. */
export function unrecognisedText({ decoder, unrecognised, records, failures }: SourceInfo): string | null {
  if (records === 0) return null;
  if (decoder === null) return unrecognised === true ? 'is not recognised: shown as it is.' : null;
  if (decoder.name !== 'generic' || decoder.by !== 'detected' || failures === records) return null;
  return 'is not recognised: only times and levels are read.';
}

/** The current rate of a source; empty when it is 0. */
export function rateText(source: SourceInfo): string {
  return source.rate > 0 ? formatRate(source.rate) : '';
}

/** Whether there is a text that can be shown before it is decoded. */
const isText = ({ kind, stored }: SourceInfo): boolean => kind === 'file' && stored !== true;

/** The file whose first lines can be shown while none of its records is there. */
export function unreadFile(sources: readonly SourceInfo[]): SourceInfo | undefined {
  return sources.find((source) => isText(source) && source.records === 0 && (isBusy(source) || isHeld(source)));
}

/** Bytes before the end of a file that grows: so much is decoded in a moment. */
const NEARLY_READ = 1 << 20;

/**
 * The file that is shown alone and far from being read to its end; null: there is none, or it is read from several places.
 * @param shown sources, or none for all
 */
export function undecodedFile(sources: readonly SourceInfo[], shown: readonly number[]): SourceInfo | null {
  const [source, ...others] = sources.filter(({ id }) => shown.length === 0 || shown.includes(id));
  if (source === undefined || others.length > 0 || !isText(source) || /[*?[{]/.test(source.location)) return null;
  if (!isBusy(source) && !isHeld(source)) return null;
  return source.records === 0 || source.totalBytes - source.bytes > NEARLY_READ ? source : null;
}

/** Names of files that are packed. */
const PACKED = /\.(?:gz|tgz|zst|bz2|xz|lzma|lz4|zip)$/i;

/** Says why the end of a file cannot be shown before all is read. */
export function noEndText(source: SourceInfo): string {
  const why = PACKED.test(source.location) ? 'it is packed' : 'its records can only be told from its beginning on';
  return `The end of ${source.label} is not known before all is read (${Math.floor(100 * progressPart(source))} %): ${why}.`;
}

/** Says which records of a file these are, so many on a page. @param page the bytes in which they stand */
export function aheadText(
  page: { readonly atEnd: boolean; readonly first: number; readonly bytes: number },
  count: number,
  filtered: boolean,
): string {
  if (!filtered) return page.atEnd ? 'the last records, not numbered yet' : 'records that are not numbered yet';
  const where = `${page.atEnd ? 'the last ' : ''}${formatBytes(page.bytes)}`;
  if (count === 0) return `none in ${where} matches the filter${page.first === 0 ? '' : '; scroll up to look further'}`;
  return `${plural(count, 'record')} in ${where} ${count === 1 ? 'matches' : 'match'} the filter, not numbered yet`;
}

/** Says why a list of records is empty, and what to expect. */
export interface EmptyReason {
  readonly title: string;
  readonly text: string;
}

/** The reason why no record is shown although nothing is filtered. */
export function emptyReason(sources: readonly SourceInfo[]): EmptyReason {
  const failed = sources.filter((source) => source.state === 'failed');
  if (failed.length > 0 && failed.length === sources.length) {
    return { title: 'Nothing could be read', text: failed.map(({ label, problem }) => problem ?? `${label} could not be read.`).join(' ') };
  }
  const held = sources.filter(isHeld);
  if (held.length > 0)
    return { title: 'Reading was stopped', text: held.map((source) => `${source.label}: ${progressText(source, null, null)}`).join(', ') };
  const busy = sources.filter(isBusy);
  if (busy.length > 0)
    return { title: 'Reading…', text: busy.map((source) => `${source.label}: ${progressText(source, null, null)}`).join(', ') };
  const listening = sources.filter((source) => source.state === 'listening');
  if (listening.length > 0) {
    return { title: 'Waiting for records', text: `${listening.map(({ location }) => location).join(', ')}: nothing has come yet.` };
  }
  return { title: 'No records yet', text: 'The sources are empty. Lines that are added to them appear here.' };
}

/** The words for a table without a record that the filter finds; while sources are read, one may still come. */
export function unmatchedReason(sources: readonly SourceInfo[]): EmptyReason {
  const unread = sources.filter((source) => isBusy(source) || isHeld(source));
  if (unread.length === 0) return { title: 'No record matches the filter', text: 'Loosen it, or clear it to see all records.' };
  const read = unread.map((source) => `${source.label}: ${progressText(source, null, null)}`).join(', ');
  return { title: 'No record matches the filter yet', text: `Not everything is read: ${read}.` };
}
