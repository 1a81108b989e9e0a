/** Graphs of the largest value that each of some fields had in a row of time. */
import type { CircularBuffer } from '../../modules/circular_buffer.ts';
import { anomalyConfig, configuredGraph, injectGraph, numberFields, setPreservationVersion, setWhileNumbers } from '../../modules/graph.ts';

declare global {
  var graph: CircularBuffer;
}

/** The entry points of a filter with the parameters of graphs: a column for each field, all of which a message must have as numbers. */
export function graphOfLargest(title: string, ...names: string[]): { process: () => ProcessStatus; tick: (ns: number) => void } {
  const fields = numberFields(...names);
  const anomalies = anomalyConfig({ [title]: names.length });
  setPreservationVersion();
  globalThis.graph = configuredGraph(
    title,
    names.map((name) => [name, 'Count', 'max']),
  );
  return {
    process: () => setWhileNumbers(globalThis.graph, fields),
    tick: (ns) => injectGraph(ns, title, globalThis.graph, anomalies),
  };
}
