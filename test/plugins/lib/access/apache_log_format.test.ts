import { describe, expect, it } from 'vitest';
import { apacheLogFormat } from '../../../../plugins/lib/access/apache_log_format.ts';
import type { FieldType } from '../../../../plugins/lib/format/log_fields.ts';
import { WallClock } from '../../../../plugins/modules/time_zone.ts';
import { shownItems, written } from '../../support/field_types.ts';

const shown = (format: string): string => shownItems(apacheLogFormat(format)).join('');
const COMMON = '<remote_addr> <remote_user> <remote_user> [<Timestamp>] "<request>" <status>';

describe('apacheLogFormat', () => {
  it.each<[format: string, items: string]>([
    ['common', `${COMMON} <body_bytes_sent>`],
    ['combined', `${COMMON} <body_bytes_sent> "<http_referer>" "<http_user_agent>"`],
    ['vhost_combined', `<server_name>:<server_port> ${COMMON} <response_length> "<http_referer>" "<http_user_agent>"`],
    ['LogFormat "%h \\"%r\\"" mine', '<remote_addr> "<request>"'],
    ['%!404,500{X-Id}i %<s %{c}a', '<http_x_id> <status> <remote_addr>'],
    ['%{A}C %{B}e %{n}n %{X-O}o %{T-A}^ti %{T-B}^to', '<cookie_A> <env_B> <module_n> <sent_http_x_o> <trailer_t_a> <sent_trailer_t_b>'],
    ['%{SSL_PROTOCOL}x %{Cipher}c', '<ssl_protocol> <ssl_cipher>'],
    ['%{remote}p %{hextid}P %{ms}T', '<remote_port> <tid> <request_time>'],
    ['%{sec}t.%{msec_frac}t', '<Timestamp>.<sec_frac>'],
    ['%{begin:%d/%b/%Y %T}t.%{usec_frac}t %{%z}t', '<Timestamp>.<sec_frac> <zone>'],
    ['100%% %b\\t\\"', '100% <body_bytes_sent>\t"'],
    ['\\119\\195\\164 %X', 'wä <connection_status>'],
  ])('%s', (format, items) => expect(shown(format)).toBe(items));

  it.each<[format: string, reason: string]>([
    ['', 'log_format is empty'],
    ['%Q', 'log_format: unknown directive %Q'],
    ['%{x}T', 'log_format: unknown directive %{x}T'],
    ['%{toString}p', 'log_format: unknown directive %{toString}p'],
    ['$remote_addr', 'log_format has no directive such as %h: $remote_addr'],
  ])('%j is none', (format, reason) => expect(() => apacheLogFormat(format)).toThrow(reason));
});

describe('directives', () => {
  const typeOf = (format: string, clock?: WallClock): FieldType =>
    (apacheLogFormat(format, clock).find(({ kind }) => kind === 'field') as { readonly type: FieldType }).type;

  it.each<[directive: string, value: string, calls: unknown[] | null]>([
    ['%D', '1250', [['x (us)', 1250]]],
    ['%T', '3', [['x (s)', 3]]],
    ['%b', '-', [['x (B)', 0]]],
    ['%X', '+', [['x', '+']]],
    ['%X', 'x', null],
    ['%{hextid}P', '7f', [['x', 127]]],
    ['%s', '20', null],
  ])('%s takes %j', (directive, value, calls) => expect(written(typeOf(directive), value)).toEqual(calls));

  it('has dates without a zone by a clock', () => {
    const date = '05/Mar/2021 14:07:59';
    const ns = (type: FieldType): string => String((written(type, date)?.[0] as unknown[])[1]);
    expect(ns(typeOf('%{%d/%b/%Y %T}t'))).toBe('1614953279000000000');
    expect(ns(typeOf('%{%d/%b/%Y %T}t', new WallClock('+01:00')))).toBe('1614949679000000000');
  });

  it('has the zone that stands apart from its date', () => {
    const [date, , zone] = apacheLogFormat('%{%d/%b/%Y %T}t %{%z}t') as { readonly type: FieldType }[];
    expect(date && written(date.type, '05/Mar/2021 14:07:59')).not.toBeNull();
    expect(zone && written(zone.type, '+0100')?.map((call) => String((call as unknown[])[1]))).toEqual(['1614949679000000000']);
    expect(zone && written(zone.type, '+01')).toBeNull();
  });
});
