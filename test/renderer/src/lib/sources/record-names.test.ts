import { describe, expect, it } from 'vitest';
import { parseRecordName, sourcesNamed } from '../../../../../renderer/src/lib/sources/record-names.ts';

describe('names of records', () => {
  it.each([
    ['access.log#120', { file: 'access.log', number: 120 }],
    [' : web1/my access.log # 7 ', { file: 'web1/my access.log', number: 7 }],
    ['a#1#2', { file: 'a#1', number: 2 }],
    ['access.log#0', null],
    ['#120', null],
    ['access.log', null],
    ['12:40', null],
  ])('%j is %j', (text, name) => expect(parseRecordName(text)).toEqual(name));

  const sources = [
    { label: 'web1/…/access.log', location: '/srv/web1/nginx/access.log' },
    { label: 'web2/…/access.log', location: '/srv/web2/nginx/access.log' },
    { label: 'app.log', location: String.raw`C:\logs\app.log` },
    { label: '*.log', location: '/var/log/*.log' },
  ];
  it.each([
    ['access.log', [0, 1]],
    ['web1/…/access.log', [0]],
    ['web2/nginx/access.log', [1]],
    ['/srv/web2/nginx/access.log', [1]],
    ['1/nginx/access.log', []],
    ['logs/app.log', [2]],
    ['*.log', [3]],
    ['log', []],
  ])('%j means the sources %j', (name, found) => expect(sourcesNamed(sources, name)).toEqual(found.map((at) => sources[at])));
});
