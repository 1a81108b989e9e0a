import { z } from 'zod';
import type { RecordGraph } from '../../api/record-graph-types.ts';
import { recordGraphs } from '../../api/requests/shapes.ts';

const schema = z.strictObject({ version: z.literal(1), graphs: recordGraphs });

/** @throws {Error} when it is no such file */
export function parseRecordGraphs(text: string): readonly RecordGraph[] {
  return schema.parse(JSON.parse(text)).graphs;
}

export function formatRecordGraphs(graphs: readonly RecordGraph[]): string {
  return `${JSON.stringify({ version: 1, graphs }, null, 1)}\n`;
}
