/** Lines of logrus on a terminal, with the seconds since the program's start or with a time: `INFO[0013] …`, `WARN[2021-03-05T13:07:59Z] …`. */
import type { LogField } from '../../modules/table_writer.ts';
import { ConsoleFields } from '../inner/console_fields.ts';
import type { RecordForms } from '../pattern_decoder.ts';

const pairs = new ConsoleFields();
let fields: readonly LogField[] = [];

export const LOGRUS: RecordForms = {
  patterns: [
    /^(?<level>TRAC|DEBU|INFO|WARN|ERRO|FATA|PANI)\[(?:(?<uptime>\d{4,9})|(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)))\] *(?<message>.*)$/s,
  ],
  numbers: { uptime: 's' },
  hosts: [],
  refusal: 'no level and time of logrus',
  refine: ({ message = '', ...groups }) => {
    const record = pairs.read(message, 'plain');
    fields = record?.fields ?? [];
    return { ...groups, message: record === null ? message : record.words };
  },
  further: () => fields,
};
