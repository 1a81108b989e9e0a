import { accessLog } from './access-log.mjs';
import { authLog, gatewayLog, ordersLog, servicesLog, slowQueryLog } from './incidents.mjs';
import { syslog5424, syslogText } from './syslog.mjs';

/** The sample logs of resources/samples, and what makes them. @type {readonly { name: string, make: () => string }[]} */
export const SAMPLES = [
  { name: 'access.log', make: accessLog },
  { name: 'syslog.log', make: syslogText },
  { name: 'syslog-5424.log', make: syslog5424 },
  { name: 'auth.log', make: authLog },
  { name: 'slow-query.log', make: slowQueryLog },
  { name: 'services.log', make: servicesLog },
  { name: 'gateway.log', make: gatewayLog },
  { name: 'orders.log', make: ordersLog },
];
