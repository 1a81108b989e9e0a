import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctLabels } from '../../../../engine/workspace/sources/distinct-labels.ts';

test.each<[locations: string[], labels: string[]]>([
  [['/var/log/syslog'], ['syslog']],
  [
    ['/web1/syslog', '/web2/syslog'],
    ['web1/syslog', 'web2/syslog'],
  ],
  [
    ['/web1/var/log/syslog', '/web2/var/log/syslog', '/old/syslog'],
    ['web1/…/syslog', 'web2/…/syslog', 'old/syslog'],
  ],
  [
    ['/log/syslog', '/web1/log/syslog'],
    ['/log/syslog', 'web1/…/syslog'],
  ],
  [
    [String.raw`C:\a\app.log`, String.raw`C:\b\app.log`],
    ['a/app.log', 'b/app.log'],
  ],
])('%j', (locations, labels) => expect(distinctLabels(locations)).toEqual(labels));

test('two files of the same depth never have the same label', () => {
  const folder = fc.constantFrom('a', 'b', 'c');
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(folder, folder), { selector: String, minLength: 1 }), (folders) => {
      const labels = distinctLabels(folders.map((names) => `/${names.join('/')}/x.log`));
      expect(new Set(labels).size).toBe(labels.length);
    }),
  );
});
