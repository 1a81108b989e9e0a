import { describe, expect, it } from 'vitest';
import { addHead, originOf } from '../../../../plugins/lib/otlp/otlp_origin.ts';
import type { LogField, LogMessage } from '../../../../plugins/modules/table_writer.ts';

const pair = (key: string, value: object) => ({ key, value: value as { stringValue: string } });

function byName(fields: readonly LogField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, value, representation: form }) => [name, form === undefined ? value : [value, form]]));
}

describe('originOf', () => {
  it('takes headers from the resource and the scope', () => {
    const attributes = [
      pair('host.name', { stringValue: 'box1' }),
      pair('process.pid', { intValue: '7' }),
      pair('os', { stringValue: 'x' }),
    ];
    const resource = { attributes, droppedAttributesCount: 2 };
    const scope = { name: 'shop', version: '1', attributes: [pair('a', { boolValue: true }), pair('version', { intValue: 2 })] };
    const { head, fields } = originOf({ resource, schemaUrl: 'http://r/' }, { scope });
    expect(head).toEqual({ Logger: 'shop', Hostname: 'box1', Pid: 7 });
    expect(byName(fields)).toEqual({
      ...{ 'scope.version': '1', 'scope.a': true, 'scope.attributes.version': 2n, 'resource.os': 'x' },
      ...{ 'resource.dropped_attributes_count': 2n, 'resource.schema_url': 'http://r/' },
    });
  });

  it('leaves what is no header among the fields', () => {
    const attributes = [pair('host.name', { intValue: 1 }), pair('process.pid', { intValue: '2147483648' })];
    const { head, fields } = originOf({ resource: { attributes } }, {});
    expect(head).toEqual({});
    expect(fields.map(({ name }) => name)).toEqual(['resource.host.name', 'resource.process.pid']);
  });

  it('takes the older name of a scope', () => {
    expect(originOf({}, { instrumentationLibrary: { name: 'lib' } })).toEqual({ head: { Logger: 'lib' }, fields: [] });
  });
});

it('addHead sets the headers that an origin has', () => {
  const message: LogMessage = { Type: 'x' };
  addHead(message, { Hostname: '', Pid: 0 });
  expect(message).toEqual({ Type: 'x', Hostname: '', Pid: 0 });
});
