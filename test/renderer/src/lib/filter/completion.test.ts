import { describe, expect, it } from 'vitest';
import type { Variable } from '../../../../../engine/api/filter/variable.ts';
import { applyOption, complete } from '../../../../../renderer/src/lib/filter/completion.ts';

const VARIABLES: readonly Variable[] = [
  { name: 'Fields[status]', about: 'number', type: 'number', constants: ['200', '404'] },
  { name: 'Fields[remote addr]', about: 'string', type: 'string', constants: ["'10.0.0.1'"] },
  { name: 'Type', about: 'text', type: 'string', constants: ["'web'", "'syslog'"] },
  { name: 'load1', about: 'number', type: 'number', constants: ['0.5'] },
  { name: 'Severity', about: 'number', type: 'number', constants: ['3', '4'] },
];

const LOOKUPS = { names: ['blocked', 'geo', 'geo-2'], columns: { geo: ['country', 'city', 'names', 'en'] } };

/** The caret stands at the bar. */
function offered(text: string): string[] | null {
  const caret = text.indexOf('|');
  return complete(text.replace('|', ''), caret, VARIABLES, LOOKUPS)?.options.map(({ insert }) => insert) ?? null;
}

describe('complete', () => {
  it.each([
    ['|', ['Fields[status] ', 'Fields[remote addr] ', 'Type ', 'load1 ', 'Severity ']],
    ['stat|', ['Fields[status] ']],
    ['Fields[re|', ['Fields[remote addr] ']],
    ['Ty|', ['Type ', 'Severity ']],
    ['Fields|', null],
    ['(Sev|', ['Severity ']],
    ['Type |', ['== ', '!= ', '=~ /', '!~ /', '> ', '>= ', '< ', '<= ']],
    ['Type =|', ['== ', '=~ /']],
    ['load1 |', ['== ', '!= ', '=~ /', '!~ /', '> ', '>= ', '< ', '<= ']],
    ['load1 > 1 |', ['&& ', '|| ']],
    ['Type == |', ["'web' ", "'syslog' "]],
    ["Type == 'w|", ["'web' "]],
    ['Fields[status] == 4|', ['404 ']],
    ['Fields[status]==|', ['200 ', '404 ']],
    ['Fields[remote addr] != |', ["'10.0.0.1' "]],
    ["Type == 'web' |", ['&& ', '|| ']],
    ['Fields[status] == 200 &|', ['&& ']],
    ["Type == 'web' && S|", ['Fields[status] ', 'Severity ']],
    ['Type =~ /a b|', null],
    ['Nothing == |', null],
    ['load1@|', ['blocked.', 'geo.', 'geo-2.']],
    ['-Fields[remote addr]@ge|', ['geo.', 'geo-2.']],
    ["Type == 'web' && Type in @|", ['blocked ', 'geo ', 'geo-2 ']],
    ['Type not in @b|', ['blocked ']],
    ['load1@geo.|', ['country', 'city', 'names', 'en']],
    ['load1@geo.c|', ['country', 'city']],
    ['load1@geo.city.n|', ['names']],
    ['load1@geo-2.c|', null],
    ['load1@constructor.c|', null],
    ['load1@host.example:|', null],
    ['@|', null],
    ['zzz|', null],
    ['-stat|', ['Fields[status] ']],
    ['Type:|', ['web ', 'syslog ']],
    ['!Type:w|', ['web ']],
    ['Type:web (-Fields[status]:4|', ['404 ']],
    ['Fields[remote addr]:1|', ['10.0.0.1 ']],
    ['http://Ty|', null],
  ])('%s', (text, options) => expect(offered(text)).toEqual(options));
});

describe('applyOption', () => {
  it('replaces what was typed and puts the caret behind', () => {
    const completion = complete("Type == 'w && TRUE", 10, VARIABLES);
    const option = completion?.options[0];
    if (completion === null || option === undefined) throw new Error('nothing offered');
    expect(applyOption("Type == 'w && TRUE", completion, option)).toEqual({ text: "Type == 'web' && TRUE", caret: 14 });
  });
});
