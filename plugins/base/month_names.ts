/** Names of months and weekdays as logs have them, in English and other languages that programs write. */

/** Short names of the months by language, each as the least beginning that tells it from the others; a bar stands between spellings. */
const MONTHS: readonly string[] = [
  'jan feb mar apr may jun jul aug sep oct nov dec',
  'jän feb mär|mrz apr mai jun jul aug sep okt nov dez',
  'janv fév|fev mars avr mai juin juil aoû|aou sep oct nov déc',
  'ene feb mar abr may jun jul ago sep|set oct nov dic',
  'gen feb mar apr mag giu lug ago set ott nov dic',
  'jan fev mar abr mai jun jul ago set out nov dez',
  'jan feb mrt|maa apr mei jun jul aug sep okt nov dec',
  'sty lut mar kwi maj cze lip sie wrz paź|paz lis gru',
  'янв фев мар апр мая|май июн июл авг сен окт ноя дек',
];

const WEEKDAYS =
  'mon tue wed thu fri sat sun mo di mi do fr sa so lun mar mer jeu ven sam dim mié mie jue vie sáb sab dom gio seg ter qua qui sex ma wo vr za zo пн вт ср чт пт сб вс';

/** Fewest and most characters of a name: Mai, September. */
const [SHORTEST, LONGEST] = [3, 10];

const beginnings = new Map<string, number>();
for (const months of MONTHS) {
  for (const [i, spellings] of months.split(' ').entries()) for (const name of spellings.split('|')) beginnings.set(name, i + 1);
}
const weekdays = new Set(WEEKDAYS.split(' '));
const known = new Map<string, number>();
/** Names that are remembered, at most: words of a hostile log are many. */
const MOST_KNOWN = 2000;

/** The number of the month that a word names, short or in full, in any case, perhaps with a point at its end; -1 for any other word. */
export function monthOf(word: string): number {
  let month = known.get(word);
  if (month === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(word, (month = findMonth(word)));
  }
  return month;
}

function findMonth(word: string): number {
  if (word.length < SHORTEST || word.length > LONGEST) return -1;
  const name = word.toLowerCase().replace(/\.$/, '');
  return beginnings.get(name.slice(0, 4)) ?? beginnings.get(name.slice(0, 3)) ?? -1;
}

/** Whether a word names a day of the week, short or in full. */
export function isWeekday(word: string): boolean {
  const name = word.toLowerCase().replace(/\.$/, '');
  if (name.length < 2 || name.length > LONGEST) return false;
  return weekdays.has(name) || (name.length > SHORTEST && (weekdays.has(name.slice(0, 3)) || weekdays.has(name.slice(0, 2))));
}
