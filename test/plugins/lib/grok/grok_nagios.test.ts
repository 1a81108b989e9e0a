import { expect, test } from 'vitest';
import { decoder, type Decoded } from '../../support/decode.ts';

const read = (line: string): Decoded | string =>
  decoder('grok', { match: '^%{NAGIOSLOGLINE}$', ecs_compatibility: 'v8' })(`[1614949679] ${line}`);

test.each<[string, Decoded]>([
  ['Warning: no contacts', { Payload: 'no contacts' }],
  ['CURRENT HOST STATE: db1;UP;HARD;1;PING OK', { Hostname: 'db1', 'service.state': 'UP', 'nagios.log.attempt': 1, Payload: 'PING OK' }],
  ['HOST NOTIFICATION: ops;db1;DOWN;by-mail;no answer', { 'user.name': 'ops', 'nagios.log.notification_command': 'by-mail' }],
  ['SERVICE FLAPPING ALERT: db1;Disk;STARTED; it flaps', { 'service.name': 'Disk', 'service.state': 'STARTED' }],
  ['HOST DOWNTIME ALERT: db1;STOPPED; it is up', { 'service.state': 'STOPPED', 'nagios.log.comment': ' it is up' }],
  ['PASSIVE SERVICE CHECK: db1;Disk;0;fine', { 'service.state': '0', 'nagios.log.comment': 'fine' }],
  ['SERVICE EVENT HANDLER: db1;Disk;OK;HARD;clean-up', { 'nagios.log.event_handler_name': 'clean-up' }],
  ['TIMEPERIOD TRANSITION: 24x7;-1;1', { 'service.name': '24x7', 'nagios.log.period_from': -1, 'nagios.log.period_to': 1 }],
  ['EXTERNAL COMMAND: DISABLE_SVC_CHECK;db1;Disk', { 'nagios.log.command': 'DISABLE_SVC_CHECK', 'service.name': 'Disk' }],
  ['EXTERNAL COMMAND: PROCESS_HOST_CHECK_RESULT;db1;0;fine', { 'nagios.log.check_result': 'fine' }],
])('%s', (line, expected) => expect(read(line)).toMatchObject({ Timestamp: '1614949679000000000', ...expected }));

test('an entry of another kind is refused', () => expect(read('AUTO-SAVE: saved')).toBe('refused: no pattern matches'));
