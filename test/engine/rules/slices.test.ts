import { describe, expect, it } from 'vitest';
import { slice, sliceOf } from '../../../engine/rules/slices.ts';

/** A part of a text, which lies amid another one; null: there is none. */
function part(field: string, name: string, text: string): string | null {
  const [before, after] = ['?.', ' /x.y?z://:1 '];
  const cut = sliceOf(field, name);
  if (cut === null) throw new Error(`no slice ${name}`);
  const whole = before + text + after;
  return cut(whole, before.length, before.length + text.length) ? whole.slice(slice.start, slice.end) : null;
}

describe('a part of a request line', () => {
  it.each([
    ['GET /a/b.php?c=d.e HTTP/1.1', ['GET', '/a/b.php?c=d.e', '/a/b.php', 'c=d.e', 'php', null, 'HTTP/1.1']],
    ['GET /a b?c HTTP/1.1', ['GET', '/a b?c', '/a b', 'c', null, null, 'HTTP/1.1']],
    ['GET /', ['GET', '/', '/', null, null, null, null]],
    ['CONNECT shop.test:443 HTTP/1.1', ['CONNECT', 'shop.test:443', 'shop.test:443', null, 'test:443', 'shop.test', 'HTTP/1.1']],
    ['CONNECT [::1]:443 HTTP/1.1', ['CONNECT', '[::1]:443', '[::1]:443', null, null, '::1', 'HTTP/1.1']],
    ['GET /go?to=http://evil.test/ HTTP/2', ['GET', '/go?to=http://evil.test/', '/go', 'to=http://evil.test/', null, null, 'HTTP/2']],
    ['-', ['-', '-', '-', null, null, '-', null]],
    ['', ['', '', '', null, null, '', null]],
  ])('%j', (line, expected) => {
    const names = ['method', 'target', 'path', 'query', 'extension', 'host', 'version'];
    expect(names.map((name) => part('request', name, line))).toEqual(expected);
  });
});

describe('a part of a URL', () => {
  it.each([
    ['http://shop.test:80/a.b/c?d', ['http://shop.test:80/a.b/c', 'd', null, 'shop.test']],
    ['https://shop.test?d=/e', ['https://shop.test', 'd=/e', 'test', 'shop.test']],
    ['/a.tar.gz?', ['/a.tar.gz', '', 'gz', null]],
    ['/go?to=http://evil.test/', ['/go', 'to=http://evil.test/', null, null]],
    ['shop.test/go?to=http://evil.test/', ['shop.test/go', 'to=http://evil.test/', null, 'shop.test']],
    ['http://[2001:db8::1]:8080/a?b', ['http://[2001:db8::1]:8080/a', 'b', null, '2001:db8::1']],
    ['http://[::1', ['http://[::1', null, null, '[']],
    ['file:///etc/passwd', ['file:///etc/passwd', null, null, null]],
    ['?.x', ['', '.x', null, '']],
  ])('%j', (url, expected) => {
    expect(['path', 'query', 'extension', 'host'].map((name) => part('uri', name, url))).toEqual(expected);
  });
});

it.each([
  ['request', undefined],
  ['request', 'fragment'],
  ['uri', 'method'],
])('%s has no part %s', (field, name) => expect(sliceOf(field, name)).toBeNull());
