import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { memberName, whyNoLog, whyNoText, whyRefused } from '../../../../engine/inputs/archive/member-check.ts';
import { tarOf } from './make-archives.ts';

describe('the name of a member', () => {
  it.each([
    ['./app.log', 'app.log', null],
    ['././a/b.log', 'a/b.log', null],
    ['a\\b.log', 'a/b.log', null],
    ['a/..b/c..', 'a/..b/c..', null],
    ['../app.log', '../app.log', 'its name leads out of the archive (..)'],
    ['a\\..\\..\\b', 'a/../../b', 'its name leads out of the archive (..)'],
    ['/etc/passwd', '/etc/passwd', 'its name is an absolute path'],
    ['C:\\a', 'C:/a', 'its name is an absolute path'],
    ['a\0b', 'a\0b', 'its name is none'],
    ['', '', 'its name is none'],
  ])('%j', (name, used, why) => expect([memberName(name), whyRefused(memberName(name))]).toEqual([used, why]));
});

describe('the first bytes of a member', () => {
  const tar = tarOf([{ name: 'a.log', text: 'x\n' }]);
  it.each<[string, Buffer, string | null]>([
    ['a text', Buffer.from('one\ntwo\n'), null],
    ['a packed text', gzipSync('one\n'), null],
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0', 'latin1'), 'it is a program'],
    ['an archive', tar, 'it is a tar archive in an archive'],
    ['a packed archive', gzipSync(tar), 'it is a tar archive in an archive'],
  ])('of %s', async (_, head, why) => expect((await whyNoLog('m', head))?.why ?? null).toBe(why));

  it('of UTF-8 have no NUL', () => expect(whyNoText(Buffer.from('ab\0c\n'))).not.toBeNull());
});
