import { describe, expect, it } from 'vitest';
import { errorLogForms, namedGroups } from '../../../../plugins/lib/access/error_log_format.ts';

/** The groups of a line that it has; null when it has not the form. */
function read(format: string, line: string): Record<string, string | undefined> | null {
  const found = errorLogForms(format)
    .map((form) => form.exec(line))
    .find((match) => match !== null);
  if (!found) return null;
  return Object.fromEntries(Object.entries(namedGroups({ ...found.groups })).filter(([, value]) => value !== undefined));
}

const USUAL = '[%{u}t] [%-m:%l] [pid %P:tid %T] %7F: %E: [client\\ %a] %M% ,\\ referer\\ %{Referer}i';
const TIME = 'Fri Mar 05 13:07:59.250123 2021';

describe('errorLogForms', () => {
  it.each<[format: string, line: string, groups: Record<string, string> | null]>([
    [
      USUAL,
      `[${TIME}] [core:error] [pid 812:tid 7] [client 192.0.2.1:80] AH00126: no, referer http://x/`,
      {
        time: TIME,
        module: 'core',
        level: 'error',
        process: '812',
        tid: '7',
        _client: '192.0.2.1:80',
        message: 'AH00126: no',
        code: 'AH00126',
        http_referer: 'http://x/',
      },
    ],
    [
      USUAL,
      `[${TIME}] [-:warn] [pid 812:tid 7] words`,
      { time: TIME, module: '-', level: 'warn', process: '812', tid: '7', message: 'words' },
    ],
    [
      USUAL,
      `[${TIME}] [core:info] [pid 1:tid 2] a.c(12): (111)Connection refused: words`,
      {
        time: TIME,
        module: 'core',
        level: 'info',
        process: '1',
        tid: '2',
        source: 'a.c',
        source_line: '12',
        error_code: '111',
        error: 'Connection refused',
        message: 'words',
      },
    ],
    [USUAL, 'words', null],
    ['%{cz}t %M', '2021-03-05 13:07:59 +0100 a\nb', { time: '2021-03-05 13:07:59 +0100', message: 'a\nb' }],
    ['%{cz}t %M', '2021-03-05 13:07:59 b', null],
    ['ErrorLogFormat "[%l] \\"%M\\""', '[crit] "x"', { level: 'crit', message: 'x' }],
    ['%l|%v|%v %M', 'error|a|a x', { level: 'error', server_name: 'a', message: 'x' }],
    ['%{X-Id}i %{c}L %{A B}e %M', 'abc 1+/ z m', { http_x_id: 'abc', connection_log_id: '1+/', 'env_A B': 'z', message: 'm' }],
    ['100%% %M\\n', '100% x', { message: 'x' }],
    ['%l\\n%M', 'error\r\nx', { level: 'error', message: 'x' }],
    ['%l: %M\n\n%M', 'words', { message: 'words' }],
  ])('%j of %j', (format, line, groups) => expect(read(format, line)).toEqual(groups));

  it.each<[format: string, reason: string]>([
    ['words', 'log_format has no directive such as %M: words'],
    ['%Q %M', 'log_format: unknown directive %Q'],
    ['%{x}T', 'log_format: unknown directive %{x}T'],
    ['%{q}t', 'log_format: unknown directive %{q}t'],
    ['%{x}toString', 'log_format: unknown directive %{x}t'],
  ])('%j is none', (format, reason) => expect(() => errorLogForms(format)).toThrow(reason));

  it('of nothing are none', () => expect(errorLogForms(' \n')).toEqual([]));
});
