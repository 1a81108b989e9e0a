import { AT, reads } from '../support/reads.ts';

reads('journal_export', {}, [
  ['__REALTIME_TIMESTAMP=1614949679250000\nMESSAGE=\nPRIORITY=3\n_PID=x\n', { ...AT, Severity: 3, Payload: '', _PID: 'x' }],
  ['MESSAGE=x\n', 'refused: no __REALTIME_TIMESTAMP'],
]);
