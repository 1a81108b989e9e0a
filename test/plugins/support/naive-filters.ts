/** Filters once more, as plainly as their description reads. */
import type { Field, PlainMessage, Value } from './message.ts';
import { first, NaiveGraph, timeOf, type Column, type Naive, type Output } from './naive.ts';

/** A filter with these parameters, and its plain counterpart. */
export interface Subject {
  readonly filter: string;
  readonly config: Readonly<Record<string, Value>>;
  readonly naive: () => Naive;
}

/** Rows of the graphs. */
export const rows = 4;

/** A filter of one graph, whose messages are given by `process`. */
export const graphFilter = (
  ...[filter, config, name, columns, process]: [
    string,
    Readonly<Record<string, Value>>,
    string,
    readonly Column[],
    (graph: NaiveGraph, message: PlainMessage) => number,
  ]
): Subject => ({
  ...{ filter, config },
  naive: () => {
    const graph = new NaiveGraph(Number(config['rows']), Number(config['sec_per_row']), columns);
    return { process: (message) => process(graph, message), tick: () => [['cbuf', name, graph.text]] };
  },
});

/** Stores the fields in order until one is no number. */
export const storeAll =
  (fields: readonly string[]) =>
  (graph: NaiveGraph, message: PlainMessage): number => {
    for (const [i, field] of fields.entries()) {
      const value = first(message, field);
      if (typeof value !== 'number') return -1;
      graph.set(timeOf(message), i, value);
    }
    return 0;
  };

export const LOADS = ['1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses'];
export const MEMORY = ['MemFree', 'Cached', 'Active', 'Inactive', 'VmallocUsed', 'Shmem', 'SwapCached'];
export const HEAP = ['HeapSys', 'HeapAlloc', 'HeapIdle', 'HeapInuse', 'HeapReleased', 'HeapObjects'];
export const QUERY = ['Query_time', 'Lock_time', 'Rows_examined', 'Rows_sent'];
export const COUNTERS = ['WritesCompleted', 'ReadsCompleted', 'SectorsWritten', 'SectorsRead', 'WritesMerged', 'ReadsMerged'];
export const TIMES = ['TimeWriting', 'TimeReading', 'TimeDoingIO', 'WeightedTimeDoingIO'];

export function diskStats(): Naive {
  let times: NaiveGraph | null = null;
  let rates: NaiveGraph | null = null;
  const last = new Map<string, number>();
  return {
    process(message) {
      const interval = first(message, 'TickerInterval');
      if (typeof interval !== 'number' || interval < 1) return -1;
      const seconds = Math.trunc(interval);
      times ??= new NaiveGraph(
        rows,
        seconds,
        TIMES.map((name) => [name.slice(0, 15), 'ms', 'max']),
      );
      if (storeAll(TIMES)(times, message) !== 0) return -1;
      if (rates?.seconds !== seconds) {
        const unit = `per_${interval}_s`.replaceAll('.', '_').slice(0, 7);
        rates = new NaiveGraph(
          rows,
          seconds,
          COUNTERS.map((name) => [name, unit, 'none']),
        );
      }
      for (const [i, name] of COUNTERS.entries()) {
        const value = first(message, name);
        if (typeof value !== 'number') return -1;
        const old = last.get(name);
        if (old !== undefined) rates.set(timeOf(message), i, value - old);
        last.set(name, value);
      }
      return 0;
    },
    tick: () => [
      ...(times ? [['cbuf', 'Time doing IO', times.text] as const] : []),
      ...(rates ? [['cbuf', 'Disk Stats', rates.text] as const] : []),
    ],
  };
}

export function slowQueries(): Naive {
  const columns: Column[] = [
    ['Query_Time', 's', 'none'],
    ['Lock_Time', 's', 'none'],
    ['Rows_Examined', 'count', 'none'],
    ['Rows_Sent', 'count', 'none'],
    ['Count', 'count', 'sum'],
  ];
  const graph = new NaiveGraph(rows, 8, columns);
  const sums = new NaiveGraph(rows, 8, columns);
  return {
    process(message) {
      const count = graph.add(timeOf(message), 4, 1);
      if (count === null) return 0;
      const values = QUERY.map((name) => first(message, name));
      if (!values.every((value) => typeof value === 'number')) return -1;
      for (const [i, value] of values.entries()) {
        const average = (sums.add(timeOf(message), i, value) as number) / count;
        graph.set(timeOf(message), i, i < 2 ? Math.round(average * 1e8) / 1e8 : Math.floor(average));
      }
      return 0;
    },
    tick: () => [['cbuf', 'Statistics', graph.text]],
  };
}

export function frequentItems(): Naive {
  let table = new Map<unknown, number>();
  let last = 0;
  return {
    process(message) {
      const item = first(message, 'a');
      if (item === undefined || item === false) return -1;
      const day = Math.floor(timeOf(message) / 86_400e9);
      if (day < last) return 0;
      if (day - last >= 2) {
        table = new Map();
        last = day;
      }
      if (table.has(item)) table.set(item, (table.get(item) as number) + 1);
      else if (table.size < 3) table.set(item, 1);
      else table = new Map([...table].map(([key, weight]) => [key, weight - 1] as const).filter(([, weight]) => weight > 0));
      return 0;
    },
    tick() {
      const lines = [...table].filter(([, weight]) => weight > 1).map(([item, weight]) => `${String(item)}\t${weight}`);
      return [['tsv', 'Weighting by Fields[a]', ['Fields[a]\tWeight', ...lines, ''].join('\n')]];
    },
  };
}

export function messageSchema(): Naive {
  const seen: PlainMessage[] = [];
  const words = ['string', 'string', 'number', 'number', 'bool'];
  const typeOf = (field: Field): number =>
    field.value_type ?? { string: 0, number: 3, boolean: 4 }[typeof field.value[0] as 'string' | 'number' | 'boolean'];
  const grouped = (messages: PlainMessage[], header: 'Logger' | 'Type' | 'EnvVersion'): [string, PlainMessage[]][] => {
    const names = [...new Set(messages.map((message) => message[header] ?? ''))].toSorted();
    return names.map((name) => [name, messages.filter((message) => (message[header] ?? '') === name)]);
  };
  return {
    process: (message) => (seen.push(message), 0),
    tick() {
      const lines: string[] = [];
      for (const [logger, ofLogger] of grouped(seen, 'Logger')) {
        lines.push(`${logger || '-no logger-'} [${ofLogger.length}]`);
        for (const [type, ofType] of grouped(ofLogger, 'Type')) {
          lines.push(`    ${type || '-no type-'} [${ofType.length}]`);
          for (const [version, messages] of grouped(ofType, 'EnvVersion')) {
            lines.push(`         ${version || '-no version-'} [${messages.length}]`);
            const fields = messages.flatMap(({ Fields }) => Fields);
            for (const name of [...new Set(fields.map((field) => field.name))].toSorted()) {
              const own = fields.filter((field) => field.name === name);
              const types = new Set(own.map(typeOf));
              const word = types.size > 1 ? 'mismatch' : words[[...types][0] as number];
              lines.push(`            ${name} (${word}${own.length === messages.length ? '' : ` - optional [${own.length}]`})`);
            }
          }
        }
      }
      return [['txt', 'Message Schema', [...lines, ''].join('\n')]];
    },
  };
}

const MERGED: readonly Column[] = [
  ['a', 'count', 'sum'],
  ['b', 'ms', 'max'],
  ['c', 'ms', 'min'],
  ['d', 'x', 'none'],
];
export const layout = JSON.stringify({
  ...{ time: 0, rows: 3, columns: 4, seconds_per_row: 60 },
  column_info: MERGED.map(([name, unit, aggregation]) => ({ name, unit, aggregation })),
});

/** The rows of a payload; null when it is not of the form that is wanted. */
function deltaRows(payload: string): { header: string; rows: [seconds: number, values: number[]][] } | null {
  const match = /^([^\n]+)\n((?:\d+(?:\t(?:nan|-?\d+(?:\.\d+)?))+\n)+)$/.exec(payload);
  if (match === null) return null;
  const lines = (match[2] as string).trimEnd().split('\n');
  return {
    header: match[1] as string,
    rows: lines.map((line) => {
      const [seconds, ...values] = line.split('\t').map(Number);
      return [seconds as number, values];
    }),
  };
}

function isLayout(header: string): boolean {
  return header === layout;
}

function mergeInto(graph: NaiveGraph, aggregation: string, ns: number, column: number, value: number): void {
  if (Number.isNaN(value) || aggregation === 'none') return;
  if (aggregation === 'sum') graph.add(ns, column, value);
  else graph.set(ns, column, value);
}

export function aggregator(): Naive {
  const graphs = new Map<string, NaiveGraph>();
  return {
    process(message) {
      const payload = deltaRows(message.Payload ?? '');
      if (payload === null) return -1;
      const name = String(first(message, 'payload_name') ?? '');
      if (!graphs.has(name) && !isLayout(payload.header)) return -1;
      const graph = graphs.get(name) ?? new NaiveGraph(3, 60, MERGED);
      graphs.set(name, graph);
      if (payload.rows.some(([, values]) => values.length > MERGED.length)) return -1;
      for (const [seconds, values] of payload.rows) {
        for (const [i, value] of values.entries()) mergeInto(graph, MERGED[i]?.[2] ?? '', seconds * 1e9, i, value);
      }
      return 0;
    },
    tick: () => [...graphs].map(([name, graph]): Output => ['cbuf', name, graph.text]),
  };
}

export const MAX_HOSTS = 2;
export const EXPIRATION = 30e9;

export function hostAggregator(): Naive {
  const hosts = new Map<string, { column: number; last: number }>();
  const cells: { name: string; host: number; source: number; seconds: number; value: number }[] = [];
  const names = new Set<string>();
  let ended = false;
  return {
    process(message) {
      if (ended) return 1;
      const payload = deltaRows(message.Payload ?? '');
      if (payload === null) return -1;
      const host = message.Hostname ?? '';
      const now = timeOf(message);
      if (!hosts.has(host)) {
        let column = hosts.size;
        if (hosts.size >= MAX_HOSTS) {
          const idle = [...hosts].find(([, { last }]) => now - last >= EXPIRATION);
          if (idle === undefined) {
            ended = true;
            return 1;
          }
          hosts.delete(idle[0]);
          column = idle[1].column;
        }
        hosts.set(host, { column, last: now });
      }
      const name = String(first(message, 'payload_name') ?? '');
      if (!names.has(name) && !isLayout(payload.header)) return -1;
      names.add(name);
      if (payload.rows.some(([, values]) => values.length > MERGED.length)) return -1;
      const own = hosts.get(host) as { column: number; last: number };
      own.last = Math.max(own.last, now);
      for (const [seconds, values] of payload.rows) {
        for (const [source, value] of values.entries()) cells.push({ name, host: own.column, source, seconds, value });
      }
      return 0;
    },
    tick() {
      const outputs: Output[] = [];
      for (const name of names) {
        for (const [source, [column, unit, aggregation]] of MERGED.entries()) {
          const shown = Array.from({ length: MAX_HOSTS }, (_, i): Column => {
            const host = [...hosts].find(([, { column: taken }]) => taken === i)?.[0];
            return host === undefined ? [`Column_${i + 1}`, 'count', 'sum'] : [host.replaceAll(/[^a-z0-9]/gi, '_'), unit, aggregation];
          });
          const graph = new NaiveGraph(
            2,
            60,
            Array.from({ length: MAX_HOSTS }, () => ['', '', aggregation] as const),
          );
          for (const cell of cells) {
            if (cell.name === name && cell.source === source) mergeInto(graph, aggregation, cell.seconds * 1e9, cell.host, cell.value);
          }
          const [head = '', ...body] = graph.text.split('\n');
          const header = { ...(JSON.parse(head) as object), column_info: shown.map(([n, u, a]) => ({ name: n, unit: u, aggregation: a })) };
          const options = '{"options":{"stackedGraph":true,"fillGraph":true}}';
          outputs.push(['cbuf', `${name} (${column})`, [options, JSON.stringify(header), ...body].join('\n')]);
        }
      }
      return outputs;
    },
  };
}
