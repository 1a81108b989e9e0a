import { describe, expect, it } from 'vitest';
import { auditFields } from '../../../../plugins/lib/rules/audit_pairs.ts';

const read = (text: string, kind?: string): Record<string, unknown> =>
  Object.fromEntries(auditFields(text, 0, text.length, kind).map(({ name, value }) => [name, value]));

describe('auditFields', () => {
  it.each<[text: string, fields: Record<string, unknown>]>([
    ['', {}],
    ['pid=812 uid=0 exit=-13', { pid: 812, uid: 0, exit: -13 }],
    ['pid=0812 big=123456789012345678 x=1.5', { pid: '0812', big: '123456789012345678', x: '1.5' }],
    ['exe="/usr/sbin/sshd" comm="a b"', { exe: '/usr/sbin/sshd', comm: 'a b' }],
    ['exe="/usr/sbin/ss', { exe: '/usr/sbin/ss' }],
    ['a0=7 arch=40 mode=0100644 ver=1', { a0: '7', arch: '40', mode: '0100644', ver: '1' }],
    ['a=? b=(null) c=(none) d= e="" f=x', { f: 'x' }],
    ['for  pid=7 words =x 1=2', { pid: 7 }],
    ['pid=7\u001dUID="root"', { pid: 7, UID: 'root' }],
    [`msg='op=login acct="root" res=failed' x=1`, { op: 'login', acct: 'root', res: 'failed', x: 1 }],
    [`msg='no pairs at all' x=1`, { msg: 'no pairs at all', x: 1 }],
    ['proctitle=636174002F6574632F736861646F77', { proctitle: 'cat /etc/shadow' }],
    ['name=C3A4', { name: 'ä' }],
    ['name=abc comm=xy path=', { name: 'abc', comm: 'xy' }],
  ])('%j', (text, fields) => expect(read(text)).toEqual(fields));

  it('takes arguments of a command as texts', () => {
    expect(read('argc=2 a0="ls" a1=2D6C a2[0]=2F', 'EXECVE')).toEqual({ argc: 2, a0: 'ls', a1: '-l', 'a2[0]': '/' });
    expect(read('a1=2D6C', 'SYSCALL')).toEqual({ a1: '2D6C' });
  });

  it('keeps to its piece of the text', () => expect(auditFields('a=1 b=22 c=3', 4, 7)).toEqual([{ name: 'b', value: 2 }]));
});
