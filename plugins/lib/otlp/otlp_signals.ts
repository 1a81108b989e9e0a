/** The signals of OTLP: logs, spans and metrics, from files and from the network. */
import type { ExactObject } from '../../modules/json.ts';
import type { LogMessage } from '../../modules/table_writer.ts';
import { pointMessages } from './otlp_points.ts';
import { recordMessage } from './otlp_records.ts';
import { spanMessage } from './otlp_spans.ts';

/** Names of the lists of a signal, those of collectors before 0.50 behind those of today, and the messages of an item. */
export interface OtlpSignal {
  readonly resources: string;
  readonly scopes: readonly string[];
  readonly items: readonly string[];
  readonly messages: (item: ExactObject) => readonly LogMessage[];
}

export const LOGS: OtlpSignal = {
  resources: 'resourceLogs',
  scopes: ['scopeLogs', 'instrumentationLibraryLogs'],
  items: ['logRecords', 'logs'],
  messages: (record) => [recordMessage(record)],
};

export const SPANS: OtlpSignal = {
  resources: 'resourceSpans',
  scopes: ['scopeSpans', 'instrumentationLibrarySpans'],
  items: ['spans'],
  messages: (span) => [spanMessage(span)],
};

export const METRICS: OtlpSignal = {
  resources: 'resourceMetrics',
  scopes: ['scopeMetrics', 'instrumentationLibraryMetrics'],
  items: ['metrics'],
  messages: pointMessages,
};
