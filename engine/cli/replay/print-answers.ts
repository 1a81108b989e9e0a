import type { Graph, ItemTable } from '../../api/types.ts';
import { printableJson, printableLine, printableLines } from '../../api/printable.ts';
import type { LatestPayloads, OtherPayload } from '../../outputs/latest-payloads.ts';
import type { Output } from '../output.ts';

/** An alert of a filter. */
export interface Alert {
  readonly plugin: string;
  readonly timeNs: bigint;
  readonly text: string;
}

/** Prints what filters say, as text for people or as JSON, an object a line. */
export interface AnswerPrinter {
  alert(alert: Alert): void;
  /** The graphs, lists and other payloads at the end. */
  end(payloads: LatestPayloads): Promise<void>;
}

const timeText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
const alertTime = ({ timeNs }: Alert): string => timeText(Number(timeNs / 1_000_000n));

/** JSON: numbers that are none are null. */
export class JsonAnswers implements AnswerPrinter {
  readonly #out: Output;

  constructor(out: Output) {
    this.#out = out;
  }

  alert(alert: Alert): void {
    this.#add({ filter: alert.plugin, kind: 'alert', time: alertTime(alert), text: alert.text });
  }

  async end(payloads: LatestPayloads): Promise<void> {
    for (const { plugin, title, time, rowMs, columns, annotations } of payloads.graphs()) {
      const own = columns.map(({ name, unit, aggregation, values }) => ({ name, unit, aggregation, values: [...values].map(jsonNumber) }));
      this.#add({
        filter: plugin,
        kind: 'graph',
        name: title,
        time: timeText(time),
        secondsPerRow: rowMs / 1000,
        columns: own,
        annotations,
      });
      await this.#out.room();
    }
    for (const { plugin, variable, part, items } of payloads.items())
      this.#add({
        filter: plugin,
        kind: 'items',
        variable,
        ...(part === '' ? {} : { part }),
        items: items.map(({ item, weight }) => ({ item, weight })),
      });
    for (const { plugin, name, type, payload } of payloads.others()) this.#add({ filter: plugin, kind: 'text', name, type, text: payload });
  }

  #add(answer: Readonly<Record<string, unknown>>): void {
    this.#out.add(`${printableJson(JSON.stringify(answer))}\n`);
  }
}

const jsonNumber = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Items of a list that are printed as text. */
const SHOWN_ITEMS = 20;

/** Text: rows of graphs without any number at the beginning and the end are left out. */
export class TextAnswers implements AnswerPrinter {
  readonly #out: Output;

  constructor(out: Output) {
    this.#out = out;
  }

  alert(alert: Alert): void {
    this.#out.addLine(`${alertTime(alert)} ALERT ${alert.plugin}: ${alert.text}`);
  }

  async end(payloads: LatestPayloads): Promise<void> {
    for (const graph of payloads.graphs()) {
      this.#head(graph.plugin, graph.title);
      for (const line of tableLines(graphCells(graph))) this.#out.add(`${line}\n`);
      await this.#out.room();
    }
    for (const items of payloads.items()) {
      this.#head(items.plugin, items.part === '' ? items.variable : `${items.variable} of ${items.part}`);
      for (const line of tableLines(itemCells(items))) this.#out.add(`${line}\n`);
    }
    for (const other of payloads.others()) {
      this.#head(other.plugin, nameOf(other));
      this.#out.add(`${printableLines(other.payload).replace(/\n$/, '')}\n`);
    }
  }

  #head(plugin: string, name: string): void {
    this.#out.addLine('');
    this.#out.addLine(name === '' || name === plugin ? plugin : `${plugin}: ${name}`);
  }
}

const nameOf = ({ name, type }: OtherPayload): string => (name === '' ? type : name);

/** Cells of a graph by rows, the names of its columns first. */
function graphCells({ time, rowMs, columns }: Graph): string[][] {
  const rows = columns[0]?.values.length ?? 0;
  const hasNumber = (row: number): boolean => columns.some(({ values }) => Number.isFinite(values[row]));
  let [from, to] = [0, rows];
  while (from < to && !hasNumber(from)) from++;
  while (to > from && !hasNumber(to - 1)) to--;
  const cells = [['time', ...columns.map(({ name, unit }) => `${name} (${unit})`)]];
  for (let row = from; row < to; row++) cells.push([timeText(time + row * rowMs), ...columns.map(({ values }) => cellText(values[row]))]);
  return cells;
}

const cellText = (value = NaN): string => (Number.isNaN(value) ? '' : String(Number(value.toPrecision(6))));

function itemCells({ items }: ItemTable): string[][] {
  const shown = items.slice(0, SHOWN_ITEMS).map(({ item, weight, share }) => [item, String(weight), `${(share * 100).toFixed(1)} %`]);
  const rest = items.length - shown.length;
  return [['item', 'weight', 'share'], ...shown, ...(rest > 0 ? [[`… and ${rest} more`, '', '']] : [])];
}

/** Lines of cells with numbers to the right. */
function tableLines(cells: readonly (readonly string[])[]): string[] {
  const shown = cells.map((row) => row.map(printableLine));
  const widths = (shown[0] ?? []).map((_, i) => Math.max(...shown.map((row) => (row[i] ?? '').length)));
  return shown.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
