import { describe, expect, it } from 'vitest';
import { UserLine } from '../../../../plugins/lib/slow_query/slow_query_user.ts';

const user = new UserLine();

describe('UserLine', () => {
  it.each<[line: string, host: string, connection: number | null]>([
    ['# User@Host: app[app] @ dbone [192.0.2.10]  Id:  1234\n', '192.0.2.10', 1234],
    ['# User@Host: app[app] @ dbone []\n', 'dbone', null],
    ['# User@Host: app[app] @  [192.0.2.10]\n', '192.0.2.10', null],
    ['# User@Host: [] @ [::1] Id: 7 \n', '::1', 7],
    ['# User@Host: a b[a] @ h []\n', 'h', null],
  ])('%j', (line, host, connection) => {
    const units = Buffer.from(`x${line}y`);
    expect(user.read(units, 1, units.length)).toBe(line.length);
    expect(units.toString('latin1', user.hostFrom, user.hostTo)).toBe(host);
    expect(user.hasConnection ? user.connection : null).toBe(connection);
  });

  it.each([
    '',
    '# User@Host: app\n',
    '# User@Host: app[app @ dbone []\n',
    '# User@Host: app[app] dbone []\n',
    '# User@Host: app[app] @ dbone\n',
    '# User@Host: app[app] @ dbone [1\n',
    '# User@Host: app[app] @ dbone []',
    '# User@Host: app[app] @ dbone [] x\n',
    '# User@Host: app[app] @ dbone []  Id: x\n',
    '# User@Host: app[app] @ dbone []  Id: 1234567890123456\n',
    '# User@Host: app[\n] @ dbone []\n',
  ])('%j is of another form', (line) => expect(user.read(Buffer.from(line), 0, line.length)).toBe(-1));

  it('ends with the entry', () => {
    const line = '# User@Host: app[app] @ dbone [192.0.2.10]\n';
    expect(user.read(Buffer.from(line), 0, line.length - 1)).toBe(-1);
  });
});
