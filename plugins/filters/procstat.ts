/**
 * Computes CPU utilisation in percent from successive readings of /proc/stat (messages of the decoder linux_procstat) and, with extras, the
 * differences of all fields.
 *
 * | Field | Becomes |
 * |---|---|
 * | cpu, cpu0 … | NAME_percent, the share of time not idle; with extras NAME_delta_ and NAME_percent_ for each kind of time, NAME_delta_ticks |
 * | softirq | with extras softirq_delta_1, softirq_delta_2 … |
 * | single values | with extras NAME_delta |
 *
 * The first message only sets the start values; each later one becomes a message of Type `procstat`. Fields that are missing in one of two
 * successive messages, or whose number of values has changed, are left out. Whole percentages are rounded, halves down; otherwise they are ratios
 * from 0 to 1.
 */
import { boolConfig, patternConfig } from '../modules/config.ts';
import { injectTable } from '../base/inject.ts';
import { remembered } from '../base/remembered.ts';

declare global {
  /** The numbers of the last message by field name; none of fields that make no output. */
  var readings: Map<string, number[]> | null;
}

export const meta: PluginMeta = {
  name: 'procstat',
  kind: 'filter',
  summary: 'Computes CPU utilisation and differences of /proc/stat.',
  parameters: {
    whitelist: {
      type: 'string',
      summary: 'A regular expression; only fields whose name it finds are used. Empty: all.',
      default: '',
      format: 'regexp',
    },
    extras: { type: 'bool', summary: 'Output differences, too.', default: false },
    percent_integer: { type: 'bool', summary: 'Whole percentages instead of ratios.', default: true },
  },
  examples: [
    {
      title: 'utilisation between two readings',
      in: [
        { Fields: { cpu: [100, 0, 50, 850], cpu0: [50, 0, 25, 425], ctxt: 1000, intr: [5, 6] } },
        { Fields: { cpu: [130, 0, 60, 910], cpu0: [60, 0, 30, 460], ctxt: 1500, intr: [9, 9] } },
      ],
      out: { Type: 'procstat', Fields: { cpu_percent: 40, cpu0_percent: 30 } },
    },
    {
      title: 'all there is about the sum of the processors',
      config: { extras: true, whitelist: 'cpu$|ctxt' },
      in: [
        { Payload: 'a', Fields: { cpu: [100, 0, 50, 850, 0], ctxt: 1000 } },
        { Payload: 'b', Fields: { cpu: [130, 0, 60, 900, 10], ctxt: 1500 } },
      ],
      out: {
        Type: 'procstat',
        Payload: 'b',
        Fields: {
          cpu_percent: 50,
          cpu_percent_user: 30,
          cpu_percent_nice: 0,
          cpu_percent_system: 10,
          cpu_percent_idle: 50,
          cpu_percent_iowait: 10,
          cpu_delta_user: 30,
          cpu_delta_nice: 0,
          cpu_delta_system: 10,
          cpu_delta_idle: 50,
          cpu_delta_iowait: 10,
          cpu_delta_ticks: 100,
          ctxt_delta: 500,
        },
      },
    },
  ],
};

const KINDS = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal', 'guest', 'guestnice'];
const IDLE = KINDS.indexOf('idle');
const IO_WAIT = KINDS.indexOf('iowait');
const SOFT_INTERRUPTS = 'softirq';
/** Stands for the values of a field that makes no output. */
const UNUSED: number[] = [];

const whitelist = patternConfig('whitelist');
const extras = boolConfig('extras');
const percentInteger = boolConfig('percent_integer');
globalThis.readings = null;

type Output = { name: string; value: number }[];

/** A field, and the names of the outputs that are made of it. */
interface Source {
  readonly used: boolean;
  readonly variable: string;
  readonly isProcessor: boolean;
  readonly delta: string;
  readonly percent: string;
  readonly ticks: string;
  /** By kind of time, for processors. */
  readonly deltas: readonly string[];
  readonly percents: readonly string[];
}

const sourceOf = remembered(newSource);

function newSource(name: string): Source {
  const isProcessor = name.startsWith('cpu');
  const kinds = isProcessor ? KINDS : [];
  return {
    used: whitelist.test(name),
    variable: `Fields[${name}]`,
    isProcessor,
    delta: `${name}_delta`,
    percent: `${name}_percent`,
    ticks: `${name}_delta_ticks`,
    deltas: kinds.map((kind) => `${name}_delta_${kind}`),
    percents: kinds.map((kind) => `${name}_percent_${kind}`),
  };
}

export function process_message(): ProcessStatus {
  const readings = readAll();
  const { readings: previous } = globalThis;
  globalThis.readings = readings;
  if (previous === null) return 0;

  const output: Output = [];
  for (const [name, values] of readings) {
    const before = values === UNUSED ? undefined : previous.get(name);
    if (before?.length === values.length) addField(output, name, before, values);
  }
  const message: InjectMessage = { Type: 'procstat', Fields: output };
  const payload = read_message('Payload');
  if (typeof payload === 'string' && payload !== '') message.Payload = payload;
  return injectTable(message);
}

export function timer_event(): void {
  // A ticker does no harm: each message has brought its output.
}

/** The numbers of the current message by field name. */
function readAll(): Map<string, number[]> {
  const readings = new Map<string, number[]>();
  for (;;) {
    const [, name, first, , count] = read_next_field();
    if (name === null) return readings;
    const values = typeof first === 'number' && !readings.has(name) ? readValues(name, first, count ?? 1) : null;
    if (values !== null) readings.set(name, values);
  }
}

/** The values of a field; null when one is no number. */
function readValues(name: string, first: number, count: number): number[] | null {
  const { used, isProcessor, variable } = sourceOf(name);
  if (!used || !(extras || isProcessor)) return UNUSED;
  if (count > 1 && !isProcessor && name !== SOFT_INTERRUPTS) return UNUSED;
  const values = [first];
  for (let i = 1; i < count; i++) {
    const value = read_message(variable, 0, i);
    if (typeof value !== 'number') return null;
    values.push(value);
  }
  return values;
}

function addField(output: Output, name: string, before: readonly number[], values: readonly number[]): void {
  const source = sourceOf(name);
  if (values.length === 1) {
    if (extras) output.push({ name: source.delta, value: difference(before, values, 0) });
  } else if (source.isProcessor) {
    addProcessor(output, source, before, values);
  } else {
    for (let i = 0; i < values.length; i++) output.push({ name: `${source.delta}_${i + 1}`, value: difference(before, values, i) });
  }
}

function addProcessor(output: Output, source: Source, before: readonly number[], values: readonly number[]): void {
  let ticks = 0;
  for (let i = 0; i < values.length; i++) ticks += difference(before, values, i);
  if (ticks > 0 && values.length > IDLE)
    output.push({ name: source.percent, value: percent(1 - difference(before, values, IDLE) / ticks) });
  if (!extras) return;
  for (let i = 0; i < values.length && i < KINDS.length; i++) {
    const delta = difference(before, values, i);
    output.push({ name: source.deltas[i] as string, value: delta });
    if (ticks > 0 && i <= IO_WAIT) output.push({ name: source.percents[i] as string, value: percent(delta / ticks) });
  }
  output.push({ name: source.ticks, value: ticks });
}

function difference(before: readonly number[], values: readonly number[], index: number): number {
  return (values[index] as number) - (before[index] as number);
}

function percent(ratio: number): number {
  return percentInteger ? Math.ceil(100 * ratio - 0.5) + 0 : ratio;
}
