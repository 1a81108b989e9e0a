/** The forms of logs that are recognised. */
import { accessForm } from './access.ts';
import { columnsForm, jsonForm, pairsForm } from './fields.ts';
import { nginxErrorForm, procForm, slowQueryForm } from './records.ts';
import { apacheMarkedForm, journalForm, postgresCsvForm, programForm, serverForms, w3cForm } from './servers.ts';
import { awsForm, ciscoForm, envoyForm, flowForm, logcatForm, zeekForm } from './services.ts';
import { dpkgForm, ringForm, syslogForm } from './syslog.ts';
import type { Form } from './types.ts';

export { nginxCandidate } from './access.ts';
export { sampleOf } from './types.ts';
export type { DecoderCandidate, Head } from './types.ts';

/** The more exact a form is, the earlier it stands. */
export const FORMS: readonly Form[] = [
  slowQueryForm,
  procForm,
  accessForm,
  nginxErrorForm,
  ...serverForms,
  awsForm,
  flowForm,
  envoyForm,
  zeekForm,
  logcatForm,
  ciscoForm,
  apacheMarkedForm,
  w3cForm,
  postgresCsvForm,
  journalForm,
  dpkgForm,
  ringForm,
  syslogForm,
  jsonForm,
  pairsForm,
  columnsForm,
  programForm,
];
