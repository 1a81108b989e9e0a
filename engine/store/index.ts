export { RecordStore, type AppendedRecords, type RecordStoreOptions } from './record-store.ts';
export { RecordView, type ViewRow } from './view.ts';
export { histogramOf, type HistogramRequest } from './histogram.ts';
export { recordDetail, recordRows } from './rows.ts';
export { withoutRaw } from './segment.ts';
