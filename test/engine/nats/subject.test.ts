import { expect, it } from 'vitest';
import { Subjects, unknownPlaces } from '../../../engine/nats/subject.ts';
import type { Message } from '../../../engine/message/types.ts';

const message = (headers: Partial<Message>): Message => ({ uuid: new Uint8Array(16), timestamp: 0n, fields: [], ...headers });

it.each<[string, Partial<Message>, string]>([
  ['logs', { type: 'x' }, 'logs'],
  ['logs.{Hostname}.{Type}', { hostname: 'web1', type: 'nginx.access' }, 'logs.web1.nginx_access'],
  ['logs.{Hostname}.{Type}', {}, 'logs._._'],
  ['{Logger}-{Type}', { logger: 'a b', type: '*>\n$&' }, 'a_b-___$&'],
  ['{Type}', { type: 'x'.repeat(1000) }, 'x'.repeat(100)],
  ['{Type}', { type: `${'x'.repeat(99)}😀` }, 'x'.repeat(99)],
  ['{Hostname}.{Logger}.{Type}', { hostname: '$JS', logger: 'API', type: 'INFO' }, '_JS.API.INFO'],
  ['{Type}', { type: '\u0000\u0085\u2028\ufeffü' }, '____ü'],
])('the subject %s of a message', (template, headers, subject) => {
  expect(new Subjects(template).of(message(headers))).toBe(subject);
});

it('places that name no header are known', () => {
  expect(unknownPlaces('logs.{Hostname}.{Host}.{}.{constructor}')).toEqual(['Host', '', 'constructor']);
});
