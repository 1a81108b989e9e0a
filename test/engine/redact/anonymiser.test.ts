import { describe, expect, it } from 'vitest';
import { Anonymiser } from '../../../engine/redact/anonymiser.ts';

function anonymiser(texts: readonly string[], values: readonly (readonly [string, string])[] = []): Anonymiser {
  const made = new Anonymiser();
  for (const text of texts) made.learn(text);
  for (const [name, value] of values) made.learnValue(name, value);
  made.settle();
  return made;
}

describe('Anonymiser', () => {
  it.each([
    ['the value of a field for a host in any text', 'restart of web-07 done, web-07.access.log', [['Hostname', 'web-07']], ['web-07']],
    ['the short name of a host', 'db-3 is gone', [['server_name', 'db-3.prod.corp.example']], ['db-3', 'prod']],
    ['the value of a field for a user in any text', 'Zoë opened ZOË_backup', [['remote_user', 'Zoë']], ['Zoë', 'ZOË']],
    ['a user that one text names as such', 'user=waldo; later waldo came back', [], ['waldo']],
    ['the value of a field for a token', 'retry with q9-zz', [['session_id', 'q9-zz']], ['q9-zz']],
    ['hosts of URLs', 'GET https://intra7.firm.example/a from ftp://box9', [], ['intra7', 'firm', 'box9']],
    ['hosts by their ends', 'lookup of mail.firma.de: no answer from ns1.internal', [], ['firma', 'ns1']],
    ['the folder of a home', '/home/berta/x and berta', [], ['berta']],
  ] as const)('replaces %s', (_, text, values, originals) => {
    const made = anonymiser([text], values).text(text);
    for (const original of originals) expect(made.toLowerCase()).not.toContain(original.toLowerCase());
  });

  it.each([
    'GET /static/main.js HTTP/1.1',
    'at com.acme.Foo.bar(Foo.java:12)',
    'org.apache.commons.io failed',
    'localhost, root and user',
    'x=1 true -',
  ])('leaves what tells of nobody: %s', (text) => {
    expect(
      anonymiser(
        [text],
        [
          ['host', 'localhost'],
          ['user', 'root'],
          ['user', '-'],
        ],
      ).text(text),
    ).toBe(text);
  });

  it('has no pseudonym that is an original, in a network that is full', () => {
    const addresses = Array.from({ length: 20 * 256 }, (_, i) => `192.168.${i >> 8}.${i & 255}`);
    const made = anonymiser(addresses);
    const pseudonyms = addresses.map((address) => made.text(address));
    expect(new Set(pseudonyms).size).toBe(addresses.length);
    const originals = new Set(addresses);
    expect(pseudonyms.filter((pseudonym) => originals.has(pseudonym))).toEqual([]);
    const networkOf = (address: string): string => address.slice(0, address.lastIndexOf('.'));
    expect(new Set(pseudonyms.slice(0, 256).map(networkOf)).size).toBe(1);
  });

  it('gives an original the same pseudonym in each text, and others other ones', () => {
    const made = anonymiser(['login=anna', 'login=otto'], [['host', 'anna.example']]);
    const names = ['login=anna', 'x anna y', 'login=otto'].map((text) => /user-\w+/.exec(made.text(text))?.[0]);
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
    expect(made.text('anna.example')).toMatch(/^host-\w{8}$/);
  });
});
