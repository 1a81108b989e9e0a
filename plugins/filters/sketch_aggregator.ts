/**
 * Merges the `sketch` output of `frequent_items`, `percentiles` and `unique_items`, such as that of one filter on several hosts, into what one filter over
 * all their messages would output: one table or graph for each name, or with by_host for each name and host.
 *
 * Numbers of messages and estimates of different values are those of one filter. Percentiles are within one percent of the true ones. A weight of a
 * frequent value is too small by at most one in `max_items + 1` of all messages. The filters must have the same parameters: the first output of a
 * name says which. Outputs for one of the newest 30 rows of percentiles, or 7 days of different values, are merged; older ones are too late.
 *
 * Names that would exceed max_cells are refused. A tick outputs at most outputs_per_tick names; when there are more, they take turns.
 */
import { MAX_CELLS, OUTPUTS_PER_TICK } from '../base/graph_parameters.ts';
import { cellsOf, emptySketch, injectMerged, mergeRows, type MergedSketch } from '../lib/graphs/merged_sketch.ts';
import { preserveFor } from '../lib/graphs/preserved_layout.ts';
import { parseSketch, parseSketchLayout } from '../lib/graphs/sketch_text.ts';
import { boolConfig, uintConfig } from '../modules/config.ts';
import { setPreservationVersion } from '../modules/graph.ts';
import { nextTurn, outputsPerTick } from '../modules/turns.ts';
import { keyOf } from '../modules/weights.ts';

declare global {
  /** By name. */
  var merged_sketches: Map<string, MergedSketch>;
}

export const meta: PluginMeta = {
  name: 'sketch_aggregator',
  kind: 'filter',
  summary: 'Merges frequent values, percentiles and numbers of different values of several hosts.',
  parameters: {
    by_host: { type: 'bool', summary: 'Merge the outputs of each host by themselves; its name stands behind the title.', default: false },
    preservation_version: { type: 'uint', summary: 'To be raised when by_host changes.', default: 0 },
    max_cells: MAX_CELLS,
    outputs_per_tick: OUTPUTS_PER_TICK,
  },
  examples: [
    {
      title: 'who asks two hosts most',
      in: [
        {
          Payload:
            '{"sketch":"frequent","variable":"Fields[ip]","capacity":10,"min_weight":1,"reset_days":1}\n' +
            '864000\t["\\"192.0.2.1",3]\n864000\t["\\"192.0.2.2",1]\n',
          Fields: { payload_type: 'sketch', payload_name: 'Weighting by Fields[ip]' },
        },
        {
          Payload:
            '{"sketch":"frequent","variable":"Fields[ip]","capacity":10,"min_weight":1,"reset_days":1}\n864000\t["\\"192.0.2.2",4]\n',
          Fields: { payload_type: 'sketch', payload_name: 'Weighting by Fields[ip]' },
        },
      ],
      out: {
        Payload: 'Fields[ip]\tWeight\n192.0.2.2\t5\n192.0.2.1\t3\n',
        Fields: { payload_type: { value: 'tsv', representation: 'file-extension' }, payload_name: 'Weighting by Fields[ip]' },
      },
    },
    { title: 'a payload that is not a sketch', in: { Payload: 'garbage' }, fails: 'the payload is not a sketch' },
    { title: 'a layout that is none', in: { Payload: '{"sketch":"?"}\n60\t1\n' }, fails: 'the payload has no layout' },
  ],
};

const byHost = boolConfig('by_host');
const maxCells = uintConfig('max_cells');
const perTick = outputsPerTick();
setPreservationVersion();
preserveFor({ by_host: byHost });
globalThis.merged_sketches = new Map();

export function process_message(): ProcessStatus {
  const sketch = parseSketch(String(read_message('Payload') ?? ''));
  if (sketch === null) return [-1, 'the payload is not a sketch'];
  const name = String(read_message('Fields[payload_name]') ?? '');
  const merged = sketchOf(keyOf(byHost ? `${name} (${String(read_message('Hostname') ?? '')})` : name), sketch.header);
  if (typeof merged === 'string') return [-1, merged];
  return mergeRows(merged, sketch.rows) ? 0 : [-1, 'the payload has a row that is not of its layout'];
}

/** The merged sketch of a name, made when it is new; or the reason why there is none. */
function sketchOf(name: string, header: string): MergedSketch | string {
  const known = globalThis.merged_sketches.get(name);
  if (known !== undefined) return known.header === header ? known : 'the layout is not that of the first payload of this name';
  const layout = parseSketchLayout(header);
  if (layout === null) return 'the payload has no layout';
  let cells = cellsOf(layout);
  for (const other of globalThis.merged_sketches.values()) cells += cellsOf(other.layout);
  if (cells > maxCells) return 'there is no room for a sketch of this layout: see max_cells';
  const merged = emptySketch(header, layout);
  globalThis.merged_sketches.set(name, merged);
  return merged;
}

export function timer_event(): void {
  for (const [name, merged] of nextTurn([...globalThis.merged_sketches], perTick)) injectMerged(name, merged);
}
