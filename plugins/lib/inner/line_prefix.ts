/** Names that a tool wrote in front of a line: `[pod/api-7cfd/api] …` of kubectl, `api-7cfd api …` of stern, `web-1  | …` of compose, `0|web  | …` of PM2. */
import { ownText } from '../../base/excerpt.ts';
import type { LogField } from '../../modules/table_writer.ts';

const KUBECTL = /^\[pod\/([\w.-]{1,253})\/([\w.-]{1,253})\] ?/;
const COMPOSE = /^([A-Za-z\d][\w.-]{0,127})(?:@([\w.-]{1,127}))? {0,80}\|(?: |$)/;
const STERN = /^(?:([a-z\d-]{1,63}) )?([a-z](?:[a-z\d.-]{0,200}[a-z\d])?-(?:[a-z\d]{5}|\d{1,4})) ([a-z][a-z\d-]{0,62}) /;
/** The number and the name of a process. */
const PM2 = /^(\d{1,5})\|([A-Za-z\d@][\w.@/-]{0,127}) {0,80}\|(?: |$)/;
/** A time alone, of `docker logs --timestamps`, and the two of Grafana's exports. */
const TIME = /^(?:\d{13}\t)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)[ \t]/;
/** The end of a prefix behind which nothing can belong to it. */
const SURE = /[\]|] $/;
const [NINE, OPEN] = [57, 91];

export interface LinePrefix {
  /** The prefix as it was written, with the blank behind it. */
  readonly text: string;
  readonly length: number;
  readonly fields: readonly LogField[];
  readonly container: string | undefined;
}

const NONE: LinePrefix = { text: '', length: 0, fields: [], container: undefined };

/** The prefix that was found last, which lines of one container have in common. */
let last = NONE;

/** The prefix of a line without colours; null: it has none that is known. */
export function linePrefix(line: string): LinePrefix | null {
  if (last !== NONE && line.startsWith(last.text)) return last;
  const found = findPrefix(line);
  // A word behind it may belong to the prefix of stern.
  if (found !== null && SURE.test(found.text)) last = ownPrefix(found);
  return found;
}

/** The same prefix with texts of its own, which keep no others in memory. */
const ownPrefix = ({ text, length, fields, container }: LinePrefix): LinePrefix => ({
  text: ownText(text),
  length,
  fields: fields.map(({ name, value }) => ({ name, value: ownText(String(value)) })),
  container: container === undefined ? undefined : ownText(container),
});

function findPrefix(line: string): LinePrefix | null {
  if (line.charCodeAt(0) === OPEN) {
    const [text, pod, container] = KUBECTL.exec(line) ?? [];
    return text === undefined ? null : prefixOf(text, { pod, container });
  }
  const [process, pm_id, name] = line.charCodeAt(0) <= NINE ? (PM2.exec(line) ?? []) : [];
  if (process !== undefined) return prefixOf(process, { pm_id, container: name });
  const [text, container, node] = COMPOSE.exec(line) ?? [];
  if (text !== undefined) return prefixOf(text, { container, node });
  const [names, namespace, pod, of] = STERN.exec(line) ?? [];
  if (names !== undefined) return prefixOf(names, { namespace, pod, container: of });
  return TIME.test(line) ? NONE : null;
}

function prefixOf(text: string, names: Readonly<Record<string, string | undefined>>): LinePrefix {
  const fields: LogField[] = [];
  for (const name in names) {
    const value = names[name];
    if (value !== undefined) fields.push({ name, value });
  }
  return { text, length: text.length, fields, container: names['container'] };
}
