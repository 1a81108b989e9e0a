/**
 * Graphs the activity of a disk, from messages of the decoder linux_diskstats: rates of its operations, and the times that it spent.
 *
 * The field TickerInterval of the first message sets the length of a row. Counters of operations become differences to the message before: the
 * first message only sets the start values, and a reset counter gives a negative rate. Times stay totals. A message in which a field is missing or
 * not a number is refused. Times are written first, and columns that were written before that field was reached keep the message's values.
 */
import { ROWS } from '../base/graph_parameters.ts';
import { queue, send_queue } from '../modules/alert.ts';
import type { CircularBuffer } from '../modules/circular_buffer.ts';
import { uintConfig } from '../modules/config.ts';
import {
  anomalyConfig,
  injectGraph,
  makeGraph,
  messageTime,
  numberFields,
  setPreservationVersion,
  setWhileNumbers,
} from '../modules/graph.ts';
import { preserveFor } from '../lib/graphs/preserved_layout.ts';
import { formatNumber } from '../base/number_format.ts';

declare global {
  var times: CircularBuffer | null;
  var rates: CircularBuffer | null;
  /** The last value of each counter, by its column. */
  var counters: number[];
}

export const meta: PluginMeta = {
  name: 'diskstats',
  kind: 'filter',
  summary: 'Graphs the operations and times of a disk.',
  parameters: {
    rows: { ...ROWS, summary: 'Rows of the graphs.' },
    anomaly_config: { type: 'string', summary: 'Anomaly tests for the graphs "Disk Stats" and "Time doing IO".' },
    preservation_version: { type: 'uint', summary: 'To be raised when rows change.', default: 0 },
  },
  examples: [
    {
      title: 'two readings, five seconds apart',
      config: { rows: 2 },
      in: [
        {
          Timestamp: 0,
          Fields: {
            WritesCompleted: 10,
            ReadsCompleted: 20,
            SectorsWritten: 30,
            SectorsRead: 40,
            WritesMerged: 50,
            ReadsMerged: 60,
            TimeWriting: 70,
            TimeReading: 80,
            TimeDoingIO: 90,
            WeightedTimeDoingIO: 100,
            TickerInterval: 5,
          },
        },
        {
          Timestamp: 5e9,
          Fields: {
            WritesCompleted: 11,
            ReadsCompleted: 22,
            SectorsWritten: 33,
            SectorsRead: 44,
            WritesMerged: 55,
            ReadsMerged: 66,
            TimeWriting: 71,
            TimeReading: 82,
            TimeDoingIO: 93,
            WeightedTimeDoingIO: 104,
            TickerInterval: 5,
          },
        },
      ],
      out: [
        {
          Payload:
            '{"time":0,"rows":2,"columns":4,"seconds_per_row":5,"column_info":[{"name":"TimeWriting","unit":"ms","aggregation":"max"},' +
            '{"name":"TimeReading","unit":"ms","aggregation":"max"},{"name":"TimeDoingIO","unit":"ms","aggregation":"max"},' +
            '{"name":"WeightedTimeDoi","unit":"ms","aggregation":"max"}]}\n70\t80\t90\t100\n71\t82\t93\t104\n',
          Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Time doing IO' },
        },
        {
          Payload:
            '{"time":0,"rows":2,"columns":6,"seconds_per_row":5,"column_info":[{"name":"WritesCompleted","unit":"per_5_s","aggregation":"none"},' +
            '{"name":"ReadsCompleted","unit":"per_5_s","aggregation":"none"},{"name":"SectorsWritten","unit":"per_5_s","aggregation":"none"},' +
            '{"name":"SectorsRead","unit":"per_5_s","aggregation":"none"},{"name":"WritesMerged","unit":"per_5_s","aggregation":"none"},' +
            '{"name":"ReadsMerged","unit":"per_5_s","aggregation":"none"}]}\nnan\tnan\tnan\tnan\tnan\tnan\n1\t2\t3\t4\t5\t6\n',
          Fields: { payload_type: { value: 'cbuf', representation: 'file-extension' }, payload_name: 'Disk Stats' },
        },
      ],
    },
    {
      title: 'a message without counters',
      config: { rows: 3 },
      in: { Fields: { TickerInterval: 5, TimeWriting: 7 } },
      fails: 'TimeReading is not a number',
    },
    { title: 'a message without an interval', in: { Fields: { TimeWriting: 7 } }, fails: 'TickerInterval is not a number' },
  ],
};

const RATES = 'Disk Stats';
const TIMES = 'Time doing IO';
const COUNTER_FIELDS = numberFields(
  ...['WritesCompleted', 'ReadsCompleted', 'SectorsWritten', 'SectorsRead', 'WritesMerged', 'ReadsMerged'],
);
const TIME_FIELDS = numberFields('TimeWriting', 'TimeReading', 'TimeDoingIO', 'WeightedTimeDoingIO');
/** Seconds of a row at most. */
const MAX_INTERVAL = 2 ** 31;

const rows = uintConfig('rows');
const anomalies = anomalyConfig({ [TIMES]: TIME_FIELDS.length, [RATES]: COUNTER_FIELDS.length });
setPreservationVersion();
preserveFor({ rows });
globalThis.times = null;
globalThis.rates = null;
globalThis.counters = [];

export function process_message(): ProcessStatus {
  const interval = read_message('Fields[TickerInterval]');
  if (typeof interval !== 'number') return [-1, 'TickerInterval is not a number'];
  if (!(interval >= 1 && interval <= MAX_INTERVAL)) return [-1, 'TickerInterval is less than a second, or more than 68 years'];
  globalThis.times ??= makeGraph(
    TIMES,
    rows,
    interval,
    TIME_FIELDS.map(({ name }) => [name, 'ms', 'max']),
  );
  const status = setWhileNumbers(globalThis.times, TIME_FIELDS);
  return status === 0 ? addRates(rateGraph(interval)) : status;
}

/** Sets the rates of the counters in order; stops at one that is no number. */
function addRates(graph: CircularBuffer): ProcessStatus {
  const { counters } = globalThis;
  const ns = messageTime();
  for (const { column, name, variable } of COUNTER_FIELDS) {
    const counter = read_message(variable);
    if (typeof counter !== 'number') return [-1, `${name} is not a number`];
    const previous = counters[column];
    if (previous !== undefined) graph.set(ns, column, counter - previous);
    counters[column] = counter;
  }
  return 0;
}

/** The graph of rates, made anew when its layout has changed. */
function rateGraph(interval: number): CircularBuffer {
  const { rates } = globalThis;
  if (rates !== null) {
    const [knownRows, , knownSeconds] = rates.get_configuration();
    if (knownRows === rows && knownSeconds === Math.trunc(interval)) return rates;
  }
  const unit = `per_${formatNumber(interval)}_s`;
  globalThis.rates = makeGraph(
    RATES,
    rows,
    interval,
    COUNTER_FIELDS.map(({ name }) => [name, unit, 'none']),
  );
  return globalThis.rates;
}

export function timer_event(ns: number): void {
  if (globalThis.times !== null) injectGraph(ns, TIMES, globalThis.times, anomalies, queue);
  if (globalThis.rates !== null) injectGraph(ns, RATES, globalThis.rates, anomalies, queue);
  send_queue(ns);
}
