import { describe, expect, it } from 'vitest';
import { hasTwoReadings, nginxLogFormat } from '../../../../plugins/lib/access/nginx_log_format.ts';
import type { FieldType } from '../../../../plugins/lib/format/log_fields.ts';
import { shownItems, written } from '../../support/field_types.ts';

const shown = (format: string, asWritten?: boolean): string => shownItems(nginxLogFormat(format, asWritten)).join('');
const COMBINED = '<remote_addr> - <remote_user> [<time_local>] "<request>" <status> <body_bytes_sent> "<http_referer>" "<http_user_agent>"';

describe('nginxLogFormat', () => {
  it.each<[format: string, items: string]>([
    ['combined', COMBINED],
    ['$a|$b', '<a>|<b>'],
    ['$a$b $$c', '<a><b> $<c>'],
    ['$a\\t$b', '<a>\t<b>'],
    ['$a\t  x', '<a>\t  x'],
    [`log_format main '$a "$b" ' "it\\'s $c";`, `<a> "<b>" it's <c>`],
    [`  log_format main escape=json\n  '$a\\n'\n  '$b'`, '<a>\n<b>'],
    ['cost $5', 'cost <5>'],
  ])('%j', (format, items) => expect(shown(format)).toBe(items));

  it('reads backslashes in two ways', () => {
    expect([shown('$a\\t$b', true), shown('$a\\t$b', false)]).toEqual(['<a>\\t<b>', '<a>\t<b>']);
    expect(['$a\\t', '$a', "log_format x '$a\\t';"].map(hasTwoReadings)).toEqual([true, false, false]);
  });

  it.each<[format: string, reason: string]>([
    ['', 'log_format is empty'],
    ['%h %l', 'log_format has no variable such as $remote_addr: %h %l'],
  ])('%j is none', (format, reason) => expect(() => nginxLogFormat(format)).toThrow(reason));

  it.each<[variable: string, value: string, calls: unknown[] | null]>([
    ['status', '200', [['x', 200]]],
    ['status', '2xx', null],
    ['https', 'on', [['x', 'on']]],
    ['pipe', 'p', [['x', 'p']]],
    ['scheme', 'ftp', null],
    ['nginx_version', '1.19.0', [['x', '1.19.0']]],
    ['binary_remote_addr', 'abcd', [['x', 'abcd']]],
    ['upstream_cache_status', 'REVALIDATED', [['x', 'REVALIDATED']]],
    ['upstream_cache_last_modified', 'Fri, 05 Mar 2021 13:07:59 GMT', [['x', 1614949679000000000]]],
    ['upstream_cache_last_modified', '-', [['x', '-']]],
    ['request_time', '0.250', [['x (s)', 0.25]]],
    ['time_local', '05/Mar/2021:13:07:59', null],
    ['custom', 'any text', null],
    ['custom', 'word', [['x', 'word']]],
  ])('$%s takes %j', (variable, value, calls) => {
    const item = nginxLogFormat(`$${variable} `)[0] as { readonly type: FieldType };
    expect(written(item.type, value)).toEqual(calls);
  });
});
