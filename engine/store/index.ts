export { RecordStore } from './record-store.ts';
export { RecordView } from './view.ts';
export { histogramOf } from './histogram.ts';
export { histogramBy } from './histogram-by.ts';
export { ValueCount } from './top-values.ts';
export { fieldInfo, firstRaw, recordDetail, recordRows } from './rows.ts';
export { lastRecords, recordsOf } from './source-records.ts';
