import { expect, it } from 'vitest';
import { tableName } from '../../../engine/ask/table-names.ts';

it.each([
  ['access.log', 'access'],
  ['/var/log/nginx/access.log.2.gz', 'access'],
  ['access-2026-11-01.log', 'access_2026_11_01'],
  ['access.log-20261101.zst', 'access'],
  ['my app.jsonl', 'my_app'],
  ['1m.log', '_1m'],
  ['auth.log*', 'auth'],
  ['syslog', 'syslog'],
  ['/var/log/app-*.gz', 'app'],
  ['notes (old)', 'notes_old'],
  ['_', '_'],
  ['.log', '_log'],
  ['/var/log/messages', 'messages_file'],
  ['Messages.1', 'Messages_file'],
  ['größe.txt', 'größe'],
  ['-', 'stdin'],
])('the table of %s is %s', (file, table) => expect(tableName(file)).toBe(table));
