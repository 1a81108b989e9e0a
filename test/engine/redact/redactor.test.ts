import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Keyed } from '../../../engine/redact/keyed.ts';
import { Redactor } from '../../../engine/redact/redactor.ts';

const redactor = new Redactor();
const ipv4 = fc.ipV4().filter((text) => !/^(?:0|127|22[4-9]|23\d|24\d|25\d)\./.test(text));
const ipv6 = fc
  .tuple(fc.constant('2001'), ...Array.from({ length: 7 }, () => fc.integer({ min: 1, max: 0xffff }).map((n) => n.toString(16))))
  .map((groups) => groups.join(':'));
const word = fc.stringMatching(/^[a-z][a-z0-9]{7,15}$/).filter((text) => !/^(?:unknown|anonymous)$/.test(text));
const mail = fc.tuple(word, word).map(([name, host]) => `${name}@${host}.example.org`);
const token = fc.stringMatching(/^[0-9a-f]{32}$/);
const uuid = fc.uuid();

/** Bits that two addresses begin with alike. */
function alike(one: string, other: string): number {
  const bits = (text: string): string =>
    text
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  const [a, b] = [bits(one), bits(other)];
  const at = [...a].findIndex((bit, i) => bit !== b[i]);
  return at < 0 ? a.length : at;
}

describe('Redactor', () => {
  it.each([
    [
      'an access log',
      '203.0.113.7 - anna [10/Feb/2025:10:00:00 +0000] "GET /a?token=abc123&x=1 HTTP/1.1" 200 12',
      ['113.7', 'anna', 'abc123'],
    ],
    ['a failed login', 'Failed password for invalid user bob from 203.0.113.9 port 22 ssh2', ['bob', '113.9']],
    ['a login', 'Accepted publickey for carla from 2001:db8::1:17 port 3 ssh2', ['carla', 'db8::1']],
    ['a session', 'pam_unix(sshd:session): session opened for user gina(uid=1000) by (uid=0)', ['gina']],
    ['JSON', '{"user":"dora","password":"two words","ip":"::ffff:198.51.100.9"}', ['dora', 'two', 'words', '100.9']],
    ['JSON in JSON', String.raw`{"body":"{\"username\":\"dora\",\"api_key\":\"k1k2k3\"}"}`, ['dora', 'k1k2k3']],
    ['an address after a label', 'user: 203.0.113.77, login=mia@firm.example', ['113.77', 'mia', 'firm']],
    ['headers', 'Authorization: Bearer abcdef.ghi-jkl\nCookie: a=first; b=second', ['abcdef', 'ghi-jkl', 'first', 'second']],
    ['a URL with a login', 'GET https://joe:pw9@host.example/x', ['joe', 'pw9']],
    ['home folders', String.raw`/home/erik/x.log /Users/uma/y C:\Users\frida\z`, ['erik', 'uma', 'frida']],
    ['tokens of services', `ghp_${'a1B2'.repeat(9)} AKIA${'A1B2'.repeat(4)} eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0`, ['a1B2', 'A1B2', 'eyJ']],
    ['an encoded mail address', '/u?m=jo.doe%40firm.example.com', ['jo.doe', 'firm']],
    ['an address of a network card', 'mac 00:1b:44:11:3a:b7', ['11:3a:b7']],
  ])('has none of the originals of %s', (_, text, originals) => {
    const made = redactor.text(text);
    for (const original of originals) expect(made).not.toContain(original);
  });

  it.each([
    '2025-02-10T10:00:00.123Z INFO [main] 12:34:56 started in 3.25 s',
    '127.0.0.1 ::1 0.0.0.0 255.255.255.255',
    'kernel 6.1.0-13-amd64, version 1.2.3.4.5, user=root from - uid=1000',
    'GET /static/app/main.js?page=2&sort=up HTTP/1.1',
    'std::vector::push_back(x::y)',
  ])('leaves what tells of nobody: %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it('has no original in its text, wherever that stands', () => {
    const original = fc.oneof(ipv4, ipv6, mail, token, uuid);
    const around = fc.constantFrom(['', ''], ['from ', ' port 1'], ['"', '",'], ['<', '>'], ['=', ';'], ['[', ']:53'], ['src ', '/80']);
    fc.assert(
      fc.property(fc.array(fc.tuple(original, around), { minLength: 1, maxLength: 5 }), (parts) => {
        const made = redactor.text(parts.map(([text, [before, after]]) => `${before}${text}${after}`).join(' '));
        for (const [text] of parts) if (redactor.text(text) !== text) expect(made).not.toContain(text);
      }),
    );
  });

  it('gives one original one pseudonym, and others other ones', () => {
    const kinds = fc.oneof(ipv4, ipv6, mail, uuid);
    fc.assert(
      fc.property(kinds, kinds, (one, other) => {
        const [a, b] = [redactor.text(`x ${one} y`), redactor.text(`x ${other} y`)];
        expect(a === b).toBe(one.toLowerCase() === other.toLowerCase());
        expect(redactor.text(`it was ${one}`)).toBe(a.replace('x ', 'it was ').replace(' y', ''));
      }),
    );
  });

  it('keeps the prefixes of addresses, and the kind of their network', () => {
    fc.assert(
      fc.property(ipv4, fc.integer({ min: 0, max: 31 }), (one, bit) => {
        const numbers = one.split('.').map(Number);
        const other = numbers.map((number, at) => (at === bit >> 3 ? number ^ (128 >> (bit & 7)) : number)).join('.');
        if (/^(?:0|127|22[4-9]|23\d|24\d|25\d)\./.test(other)) return;
        expect(alike(redactor.text(one), redactor.text(other))).toBe(alike(one, other));
      }),
    );
    const inner = /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./;
    fc.assert(fc.property(ipv4, (text) => void expect(inner.test(redactor.text(text))).toBe(inner.test(text))));
  });

  it('follows its secret alone', () => {
    const [one, same, other] = ['key', 'key', 'other'].map((secret) =>
      new Redactor(new Keyed(Buffer.from(secret))).text('8.8.8.8 jo@firm.example'),
    );
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });
});
