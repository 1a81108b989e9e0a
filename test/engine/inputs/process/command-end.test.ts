import { describe, expect, it } from 'vitest';
import { commandEnd } from '../../../../engine/inputs/process/command-end.ts';

const SSH = ['-T', '-o', 'BatchMode=yes', '--', 'web1', 'exec tail -F -- /var/log/syslog'];
const ADVICE = 'Run ssh web1 once in a terminal: there it can ask for a password, and whether the key of the host is right.';

describe('the end of commands', () => {
  it.each<[string, number, string, string | undefined]>([
    ['sh', 0, 'all is well', undefined],
    ['sh', 3, '', undefined],
    ['sh', 3, 'no such disk', 'no such disk'],
    ['python3', 1, 'Traceback (most recent call last):\n  File "x.py"\nKeyError: 7\n', 'KeyError: 7'],
    ['/usr/bin/ssh', 255, 'WARNING!\r\nHost key verification failed.\r\n', `Host key verification failed. ${ADVICE}`],
    [
      'ssh',
      255,
      'ssh: connect to host web1 port 22: Connection refused\r',
      `ssh: connect to host web1 port 22: Connection refused. ${ADVICE}`,
    ],
    ['ssh', 255, '', ADVICE],
    // The status of the command on the other machine.
    ['ssh', 1, 'tail: no such file', 'tail: no such file'],
    ['sh', 255, 'oops', 'oops'],
  ])('%s that ends with %d and says %j', (bin, status, complaint, why) => {
    const commands = [{ bin, args: SSH, env: [] }];
    const end = commandEnd({ status, signal: null, errors: [], complaint }, commands);
    expect(end.why).toBe(why);
    const reason = why === undefined ? `${bin} ended with status ${status}.` : `${bin} ended with status ${status}: ${why}`;
    expect(end).toMatchObject({ status, signal: null, reason: status === 0 ? null : reason });
  });

  it('that a signal ended', () => {
    const end = commandEnd({ status: -1, signal: 'SIGKILL', errors: [], complaint: 'oops' }, [{ bin: 'ssh', args: SSH, env: [] }]);
    expect(end).toEqual({ status: null, signal: 'SIGKILL', reason: 'ssh was ended by SIGKILL.' });
  });
});
