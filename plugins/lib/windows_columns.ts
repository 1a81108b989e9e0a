/** Columns of Windows' events in CSV. */

/** The kinds of content of a column. */
export type EventColumn = 'time' | 'level' | 'keywords' | 'message' | 'computer' | 'process' | 'source' | 'id' | 'task';

const NAMES: Readonly<Record<string, EventColumn>> = {
  ...{ 'date and time': 'time', timecreated: 'time', timegenerated: 'time', 'datum und uhrzeit': 'time', 'date et heure': 'time' },
  ...{ 'fecha y hora': 'time', 'data e ora': 'time' },
  ...{ level: 'level', leveldisplayname: 'level', entrytype: 'level', ebene: 'level', niveau: 'level', nivel: 'level', livello: 'level' },
  ...{
    keywords: 'keywords',
    keywordsdisplaynames: 'keywords',
    schlüsselwörter: 'keywords',
    'mots clés': 'keywords',
    'palabras clave': 'keywords',
  },
  ...{ parolechiave: 'keywords', 'parole chiave': 'keywords' },
  ...{ message: 'message', machinename: 'computer', computer: 'computer', processid: 'process' },
  ...{ source: 'source', providername: 'source', quelle: 'source', origen: 'source', origine: 'source' },
  ...{
    'event id': 'id',
    eventid: 'id',
    id: 'id',
    'ereignis-id': 'id',
    'id. del evento': 'id',
    'id de l’événement': 'id',
    'id evento': 'id',
  },
  ...{ 'task category': 'task', taskdisplayname: 'task', aufgabenkategorie: 'task', 'catégorie de la tâche': 'task' },
  ...{ 'categoría de la tarea': 'task', 'categoria attività': 'task' },
};
/** The columns that the Event Viewer saves in any language; the message has no name there. */
const VIEWER: readonly EventColumn[] = ['level', 'time', 'source', 'id', 'task', 'message'];

/** Tells what the columns of these names hold, and those behind them that have none; null for a column that is a field of its name. */
export function eventColumns(names: readonly string[]): readonly (EventColumn | null)[] {
  const known = names.map((name) => NAMES[name.toLowerCase()] ?? null);
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
