/** The scale of the numbers that are levels, by the values of all records and by the names beside them. */

type JsonObject = Readonly<Record<string, unknown>>;

const LEVELS: readonly string[] = ['level', 'lvl', 'Level'];
/** Names that syslog and GELF have beside their levels. */
const OF_SYSLOG: readonly string[] = ['PRIORITY', 'short_message', 'facility', 'syslog_facility'];
const OF_WINDOWS: readonly string[] = ['EventID', 'EventId', 'ProviderName', 'EventRecordID', 'Channel'];
const OF_NEXTCLOUD: readonly string[] = ['reqId', 'remoteAddr'];
/** Names that pino and bunyan write by themselves. */
const OF_PINO: readonly string[] = ['pid', 'hostname', 'v'];
/** Levels of Monolog that no other scale has. */
const MONOLOG: ReadonlySet<number> = new Set([100, 200, 250, 300, 400, 500, 550, 600]);
/** Names that log4j writes, whose numbers run the other way. */
const OF_LOG4J: readonly string[] = ['loggerName', 'threadId'];
const [PYTHON_INFO, PINO_INFO, PINO_FATAL] = [20, 30, 60];

/** The parameter severity_scale of these records; empty: the default holds. */
export function severityScale(objects: readonly JsonObject[]): Readonly<Record<string, string>> {
  const values = objects.map(levelOf).filter((value) => value !== null);
  if (values.length === 0) return {};
  const has = (names: readonly string[]): boolean => objects.some((object) => names.some((name) => name in object));
  const within = (least: number, most: number): boolean => values.every((value) => value >= least && value <= most);
  if (within(1, 5) && has(OF_WINDOWS)) return { severity_scale: 'windows' };
  if (within(0, 4) && !has(OF_SYSLOG) && (has(OF_NEXTCLOUD) || values.some((value) => value < 3))) return { severity_scale: 'nextcloud' };
  if (values.every((value) => MONOLOG.has(value)) && !has(OF_LOG4J)) return { severity_scale: 'monolog' };
  const count = (level: number): number => values.filter((value) => value === level).length;
  const isPython = within(10, 50) && !has(OF_PINO) && count(PYTHON_INFO) > count(PINO_INFO) && count(PINO_FATAL) === 0;
  return isPython ? { severity_scale: 'python' } : {};
}

/** The level of a record when it is a number; else null. */
function levelOf(object: JsonObject): number | null {
  for (const name of LEVELS) {
    const value = object[name];
    if (typeof value === 'number') return value;
    if (typeof value === 'string' && /^\d{1,3}$/.test(value)) return Number(value);
  }
  return null;
}
