/** Names of months and weekdays as logs have them, in English and other languages that programs write. */

const ENGLISH = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Short names of the months by language, as `strftime` and `Intl` write them, each as the least beginning that tells it from the others, in lower case and
 * without accents; a bar stands between spellings. A name that means other months in two languages is in neither: Polish and Croatian differ by a month.
 */
const MONTHS: readonly string[] = [
  ENGLISH.join(' '),
  /* German */ 'jan feb mar|mrz apr mai jun jul aug sep okt nov dez',
  /* French */ 'janv fev mars avr mai juin juil aou sep oct nov dec',
  /* Spanish, Catalan, Galician */ 'ene|xan feb mar abr may jun|xun jul|xul ago sep|set oct nov dic',
  /* Italian */ 'gen feb mar apr mag giu lug ago set ott nov dic',
  /* Portuguese */ 'jan fev mar abr mai jun jul ago set out nov dez',
  /* Dutch */ 'jan feb mrt|maa apr mei jun jul aug sep okt nov dec',
  /* Swedish, Danish, Norwegian, Icelandic, Indonesian */ 'jan feb mar apr maj|mai|mei jun jul aug|agu|agt sep okt nov des|dec',
  /* Finnish */ 'tammi helmi maali huhti touko kesa hein elo syys loka marra joulu',
  /* Polish */ 'sty lut mar kwi maj cze lip sie wrz paz lis gru',
  /* Czech */ 'led uno bre dub kve cen|cervna cec|cervence srp zar rij lis pro',
  /* Hungarian, Slovak */ 'jan feb marc apr maj jun jul aug szep okt nov dec',
  /* Romanian */ 'ian feb mar apr mai iun iul aug sep oct noi dec',
  /* Slovenian, Serbian */ 'jan feb mar apr maj jun jul avg sep okt nov dec',
  /* Turkish */ 'oca sub mar nis may haz tem agu eyl eki kas ara',
  /* Estonian */ 'jaan veeb mar apr mai juuni juuli aug sep okt nov det',
  /* Latvian, Lithuanian */ 'sau vas kov bal geg bir lie rugp|rgp rugs|rgs spa lap gruo|grd',
  /* Croatian, without those that Polish and Czech have */ 'sij vel|velj ozu - svi - - kol ruj - stu -',
  /* Basque */ 'urt ots mar api mai eka uzt abu ira urr aza abe',
  /* Azerbaijani */ 'yan fev mar apr may iyn iyl avq sen okt noy dek',
  /* Russian, Bulgarian */ 'янв|яну фев мар апр мая|маи июн|юни июл|юли авг сен|сеп окт ноя|ное дек',
  /* Ukrainian */ 'січ лют бер кві тра чер лип сер вер жов лис гру',
  /* Belarusian */ 'студ лют сак крас тра чэр ліп жні вер кас ліс сне',
  /* Serbian, Macedonian */ 'јан феб мар апр мај јун јул авг сеп окт нов дец',
  /* Greek */ 'ιαν φεβ μαρ απρ μαι ιουν ιουλ αυγ σεπ οκτ νοε δεκ',
  /* Arabic */ 'ينا فبر مار أبر ماي يون يول أغس سبت أكت نوف ديس',
  /* Hebrew */ 'ינו פבר מרץ אפר מאי יונ יול אוג ספט אוק נוב דצמ',
];

const WEEKDAYS =
  'mon tue wed thu fri sat sun mo di mi do fr sa so lun mar mer jeu ven sam dim mie jue vie sab dom gio seg ter qua qui sex ma wo vr za zo пн вт ср чт пт сб вс ' +
  'man tir ons tor lor son tis to pon wto sro czw pia sob nie ne po ut st ct pa ke pe su pzt sal car per cum cmt paz κυρ δευ τρι τετ πεμ παρ σαβ';

/** Fewest and most characters of a name: Mai, października. */
const [SHORTEST, LONGEST] = [3, 13];
const LONGEST_BEGINNING = 8;

/** Made when a word of another language than English is looked for. */
let beginnings: ReadonlyMap<string, number> | null = null;
let weekdays: ReadonlySet<string> | null = null;
const known = new Map(ENGLISH.flatMap((name, i) => [name, name.charAt(0).toUpperCase() + name.slice(1)].map((word) => [word, i + 1])));
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
  const name = plain(word);
  beginnings ??= beginningsOf(MONTHS);
  for (let length = Math.min(name.length, LONGEST_BEGINNING); length >= SHORTEST; length--) {
    const month = beginnings.get(name.slice(0, length));
    if (month !== undefined) return month;
  }
  return -1;
}

function beginningsOf(languages: readonly string[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const months of languages) {
    for (const [i, spellings] of months.split(' ').entries()) for (const name of spellings.split('|')) numbers.set(plain(name), i + 1);
  }
  return numbers;
}

/** A name in lower case, without accents and the point at its end. */
function plain(word: string): string {
  const name = word.toLowerCase().replace(/[.\u05f3]$/, '');
  return /^[a-z]*$/.test(name) ? name : name.normalize('NFD').replace(/\p{M}/gu, '');
}

/** Whether a word names a day of the week, short or in full. */
export function isWeekday(word: string): boolean {
  const name = plain(word);
  if (name.length < 2 || name.length > LONGEST) return false;
  weekdays ??= new Set(WEEKDAYS.split(' '));
  return weekdays.has(name) || (name.length > SHORTEST && (weekdays.has(name.slice(0, 3)) || weekdays.has(name.slice(0, 2))));
}
