/**
 * Turns readings of /proc/stat, as the CPU stats decoder makes them, into what happened between two of them: CPU utilisation in percent and,
 * with extras, the differences of all fields.
 *
 * | Field | Becomes |
 * |---|---|
 * | cpu, cpu0 … | NAME_percent, the share of time not idle; with extras NAME_delta_ and NAME_percent_ for each kind of time, NAME_delta_ticks |
 * | softirq | with extras softirq_delta_1, softirq_delta_2 … |
 * | single values | with extras NAME_delta |
 *
 * The first message is only remembered; each later one becomes a message of Type `procstat`. Fields that are missing in one of the two, or whose
 * number of values has changed, are left out. Whole percentages are rounded, halves down; otherwise they are ratios from 0 to 1.
 */
import { boolConfig, patternConfig } from '../modules/config.ts';
import { injectTable } from '../modules/inject.ts';

declare global {
  /** The numbers of the last message by field name. */
  var readings: Map<string, number[]> | null;
}

export const meta: PluginMeta = {
  name: 'procstat',
  kind: 'filter',
  summary: 'Computes CPU utilisation and differences of /proc/stat.',
  parameters: {
    whitelist: { type: 'string', summary: 'A regular expression; only fields whose name it finds are used. Empty: all.', default: '' },
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
          ...{
            cpu_percent: 50,
            cpu_percent_user: 30,
            cpu_percent_nice: 0,
            cpu_percent_system: 10,
            cpu_percent_idle: 50,
            cpu_percent_iowait: 10,
          },
          ...{
            cpu_delta_user: 30,
            cpu_delta_nice: 0,
            cpu_delta_system: 10,
            cpu_delta_idle: 50,
            cpu_delta_iowait: 10,
            cpu_delta_ticks: 100,
          },
          ctxt_delta: 500,
        },
      },
    },
  ],
};

const KINDS = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal', 'guest', 'guestnice'];
const IDLE = KINDS.indexOf('idle');
const IO_WAIT = KINDS.indexOf('iowait');

const whitelist = patternConfig('whitelist', '');
const extras = boolConfig('extras', false);
const percentInteger = boolConfig('percent_integer', true);
globalThis.readings = null;

export function process_message(): ProcessStatus {
  const readings = readAll();
  const { readings: previous } = globalThis;
  globalThis.readings = readings;
  if (previous === null) return 0;

  const fields: Record<string, number> = {};
  for (const [name, values] of readings) {
    const before = previous.get(name);
    if (before?.length !== values.length || !whitelist.test(name)) continue;
    addField(
      fields,
      name,
      values.map((value, i) => value - (before[i] as number)),
    );
  }
  const message: InjectMessage = { Type: 'procstat', Fields: fields };
  const payload = read_message('Payload');
  if (typeof payload === 'string' && payload !== '') message.Payload = payload;
  return injectTable(message);
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
  const values = [first];
  const variable = `Fields[${name}]`;
  for (let i = 1; i < count; i++) {
    const value = read_message(variable, 0, i);
    if (typeof value !== 'number') return null;
    values.push(value);
  }
  return values;
}

function addField(fields: Record<string, number>, name: string, deltas: readonly number[]): void {
  if (deltas.length === 1) {
    if (extras) fields[`${name}_delta`] = deltas[0] as number;
  } else if (name.startsWith('cpu')) {
    addProcessor(fields, name, deltas);
  } else if (name === 'softirq' && extras) {
    for (const [i, delta] of deltas.entries()) fields[`${name}_delta_${i + 1}`] = delta;
  }
}

function addProcessor(fields: Record<string, number>, name: string, deltas: readonly number[]): void {
  const ticks = deltas.reduce((sum, delta) => sum + delta, 0);
  const kinds = KINDS.slice(0, deltas.length);
  if (ticks > 0 && deltas.length > IDLE) fields[`${name}_percent`] = percent(1 - (deltas[IDLE] as number) / ticks);
  if (!extras) return;
  for (const [i, kind] of kinds.entries()) {
    fields[`${name}_delta_${kind}`] = deltas[i] as number;
    if (ticks > 0 && i <= IO_WAIT) fields[`${name}_percent_${kind}`] = percent((deltas[i] as number) / ticks);
  }
  fields[`${name}_delta_ticks`] = ticks;
}

function percent(ratio: number): number {
  return percentInteger ? Math.ceil(100 * ratio - 0.5) + 0 : ratio;
}
