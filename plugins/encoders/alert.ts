/**
 * Writes alerts as text for people: time, host, plugin and alert, a line each. For messages of payload type `alert`, whose Logger is the
 * filter, and for those of Type `svc.sandbox-terminated`, whose Payload names the plugin. Further lines of the Payload follow as they are.
 */
import { DateFormat } from '../modules/date_format.ts';
import { injectOutput } from '../base/inject.ts';
import { messageSeconds } from '../modules/interpolate.ts';

export const meta: PluginMeta = {
  name: 'alert',
  kind: 'encoder',
  summary: 'Writes alerts as readable text.',
  parameters: {},
  examples: [
    {
      title: 'an alert of a filter',
      in: {
        Timestamp: 1614949679e9,
        Hostname: 'box1',
        Logger: 'WebStatus',
        Payload: 'HTTP Status - algorithm: roc col: 5 msg: no new data',
      },
      out: {
        Payload:
          'Timestamp: 2021-03-05T13:07:59Z\n' +
          'Hostname: box1\n' +
          'Plugin: WebStatus\n' +
          'Alert: HTTP Status - algorithm: roc col: 5 msg: no new data\n',
      },
    },
  ],
};

const time = new DateFormat('%Y-%m-%dT%H:%M:%SZ');

export function process_message(): ProcessStatus {
  const header = (name: string): string => String(read_message(name) ?? '');
  return injectOutput(
    'txt',
    '',
    `Timestamp: ${time.text(messageSeconds())}\nHostname: ${header('Hostname')}\nPlugin: ${header('Logger')}\nAlert: ${header('Payload')}\n`,
  );
}
