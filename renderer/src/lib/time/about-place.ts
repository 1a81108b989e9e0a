import type { Around, Place } from '../../../../engine/api/time/goto.ts';
import { formatTimeSeconds } from '../../../../engine/api/time/time.ts';
import { formatCount } from '../format.ts';

/** Words about a place, for whoever is about to go there. */
export function aboutPlace(place: Place, { total, span, zone }: Pick<Around, 'total' | 'span' | 'zone'>): string {
  if (place.kind === 'row') return `Record ${formatCount(place.row + 1)} of ${formatCount(total)}`;
  const time = formatTimeSeconds(place.time, zone);
  if (span === null || (place.time >= span.from && place.time <= span.to)) return time;
  return `${time}, ${place.time < span.from ? 'before the first record' : 'after the last record'} (${formatTimeSeconds(place.time < span.from ? span.from : span.to, zone)})`;
}
