import { accessLog } from './access-log.mjs';
import { syslog5424, syslogText } from './syslog.mjs';

/** The sample logs of resources/samples, and what makes them. @type {readonly { name: string, make: () => string }[]} */
export const SAMPLES = [
  { name: 'access.log', make: accessLog },
  { name: 'syslog.log', make: syslogText },
  { name: 'syslog-5424.log', make: syslog5424 },
];
