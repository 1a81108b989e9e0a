/** Columns of Windows' events in CSV. */

/** The kinds of content of a column. */
export type EventColumn = 'time' | 'level' | 'keywords' | 'message' | 'computer' | 'process' | 'source' | 'id' | 'task';

/** Names of each kind of column, also of some translations. */
const NAMES: readonly (readonly [kind: EventColumn, names: readonly string[]])[] = [
  ['time', ['date and time', 'timecreated', 'timegenerated', 'datum und uhrzeit', 'date et heure', 'fecha y hora', 'data e ora']],
  ['level', ['level', 'leveldisplayname', 'entrytype', 'ebene', 'niveau', 'nivel', 'livello']],
  ['keywords', ['keywords', 'keywordsdisplaynames', 'schlüsselwörter', 'mots clés', 'palabras clave', 'parolechiave', 'parole chiave']],
  ['message', ['message']],
  ['computer', ['machinename', 'computer']],
  ['process', ['processid']],
  ['source', ['source', 'providername', 'quelle', 'origen', 'origine']],
  ['id', ['event id', 'eventid', 'id', 'ereignis-id', 'id. del evento', 'id de l’événement', 'id evento']],
  [
    'task',
    ['task category', 'taskdisplayname', 'aufgabenkategorie', 'catégorie de la tâche', 'categoría de la tarea', 'categoria attività'],
  ],
];
const KINDS = new Map(NAMES.flatMap(([kind, names]) => names.map((name): [string, EventColumn] => [name, kind])));
/** The columns that the Event Viewer saves in any language; the message has no name there. */
const VIEWER: readonly EventColumn[] = ['level', 'time', 'source', 'id', 'task', 'message'];

/** Tells what the columns of these names hold, and those behind them that have none; null for a column that is a field of its name. */
export function eventColumns(names: readonly string[]): readonly (EventColumn | null)[] {
  const known = names.map((name) => KINDS.get(name.toLowerCase()) ?? null);
  if (known.includes('time')) return known.length === VIEWER.length - 1 && !known.includes('message') ? [...known, 'message'] : known;
  return names.length === VIEWER.length - 1 ? VIEWER : known;
}

const DAY_FIRST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}),? +(\d{1,2}):(\d\d)(?::(\d\d))?$/;
const NARROW_BLANK = /\u202f|\u00a0/g;

/**
 * A date of Windows in a form that `AnyDate` reads. Where hours are counted to 24 the day stands in front of the month; where they are counted to twelve
 * the month does, unless it would be beyond twelve.
 */
export function plainDate(text: string): string {
  const date = text.replace(NARROW_BLANK, ' ').replace(/ ([ap])\.?\s?m\.?$/i, (_, half: string) => ` ${half.toUpperCase()}M`);
  const [, day = '', , month = '', year = '', hour = '', minute = '', second = '00'] = DAY_FIRST.exec(date) ?? [];
  if (year !== '') return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${hour.padStart(2, '0')}:${minute}:${second}`;
  return date.replace(/^(1[3-9]|2\d|3[01])\/(\d{1,2})\/(?=\d{4}.*[AP]M$)/, '$2/$1/');
}
