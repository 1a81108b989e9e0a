import { describe, expect, it } from 'vitest';
import { exposition, formFor, type Family } from '../../../../engine/service/admin/exposition.ts';

const FAMILIES: readonly Family[] = [
  { name: 'a_bytes', type: 'counter', help: 'What "came".', samples: [{ labels: {}, value: 1.5 }] },
  { name: 'b', type: 'gauge', help: 'Of some.', samples: [{ labels: { plugin: 'x "y"\\z\n\ud800', kind: 'é' }, value: 0 }] },
  { name: 'c', type: 'info', help: 'It is.', samples: [{ labels: { version: '1' }, value: 1 }] },
  { name: 'd', type: 'counter', help: 'None.', samples: [] },
];

describe('metrics as text', () => {
  it('are those of OpenMetrics', () => {
    expect(exposition(FAMILIES, 'openmetrics')).toBe(`# HELP a_bytes What \\"came\\".
# TYPE a_bytes counter
# UNIT a_bytes bytes
a_bytes_total 1.5
# HELP b Of some.
# TYPE b gauge
b{plugin="x \\"y\\"\\\\z\\n\ufffd",kind="é"} 0
# HELP c It is.
# TYPE c info
c_info{version="1"} 1
# HELP d None.
# TYPE d counter
# EOF
`);
  });

  it('are those of the older form', () => {
    expect(exposition(FAMILIES.slice(0, 3), 'text')).toBe(`# HELP a_bytes_total What "came".
# TYPE a_bytes_total counter
a_bytes_total 1.5
# HELP b Of some.
# TYPE b gauge
b{plugin="x \\"y\\"\\\\z\\n\ufffd",kind="é"} 0
# HELP c_info It is.
# TYPE c_info gauge
c_info{version="1"} 1
`);
  });
});

it.each([
  [undefined, 'text'],
  ['*/*', 'text'],
  ['text/plain', 'text'],
  ['application/openmetrics-text; version=1.0.0', 'openmetrics'],
  ['Application/OpenMetrics-Text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2', 'openmetrics'],
  ['application/openmetrics-text;q=0.2, text/plain;q=0.9', 'text'],
  ['application/openmetrics-text;q=0', 'text'],
  ['application/json', 'text'],
])('a client that accepts %s gets the form %s', (accept, form) => expect(formFor(accept)).toBe(form));
