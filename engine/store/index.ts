export { RecordStore } from './record-store.ts';
export { RecordView } from './view.ts';
export { histogramOf } from './histogram.ts';
export { recordDetail, recordRows } from './rows.ts';
