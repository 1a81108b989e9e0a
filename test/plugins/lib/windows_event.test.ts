import { describe, expect, it } from 'vitest';
import { WindowsEvent } from '../../../plugins/lib/windows_event.ts';
import type { EventColumn } from '../../../plugins/lib/windows_columns.ts';
import { surround } from '../support/script_globals.ts';

type Part = readonly [column: EventColumn | null, name: string, value: string];

/** The message of some values, with its fields by name. A time is a number of nanoseconds here. */
function messageOf(parts: readonly Part[], config: Record<string, string | boolean> = {}): Record<string, unknown> {
  surround({ config: { payload_keep: false, ...config } });
  const event = new WindowsEvent((text) => (/^\d+$/.test(text) ? BigInt(text) : null));
  event.begin();
  event.add(null, 'before', 'x');
  event.begin();
  for (const part of parts) event.add(...part);
  const { Fields = [], ...headers } = event.message('record');
  return { ...headers, ...Object.fromEntries(Fields.map(({ name, value }) => [name, value])) };
}

describe('WindowsEvent', () => {
  it.each<[parts: readonly Part[], message: Record<string, unknown>]>([
    [[], {}],
    [
      [
        ['time', 'TimeCreated', '5'],
        ['time', 'TimeWritten', '6'],
      ],
      { Timestamp: 5n, TimeWritten: '6' },
    ],
    [[['time', 'TimeCreated', 'soon']], { TimeCreated: 'soon' }],
    [
      [
        ['level', 'LevelDisplayName', 'Warning'],
        ['id', 'Id', '7036'],
        ['source', 'Source', 'Disk'],
        ['task', 'Category', 'None'],
      ],
      { Severity: 4, Logger: 'Disk', Provider: 'Disk', EventID: 7036, Task: 'None' },
    ],
    [[['level', 'Level', '2']], { Severity: 3, Level: '2' }],
    [[['level', 'Level', 'x']], { Level: 'x' }],
    [[['id', 'Id', 'x']], { EventID: 'x' }],
    [
      [
        ['message', 'Message', 'words'],
        ['computer', 'MachineName', 'box1'],
        ['process', 'ProcessId', '812'],
        [null, 'Other', 'y'],
      ],
      { Payload: 'words', Hostname: 'box1', Pid: 812, Other: 'y' },
    ],
    [[['process', 'ProcessId', '2147483648']], { ProcessId: '2147483648' }],
    [
      [
        ['level', 'Level', 'Information'],
        ['keywords', 'KeywordsDisplayNames', 'Audit Failure'],
      ],
      { Severity: 4, Keywords: 'Audit Failure' },
    ],
    [[['keywords', 'Keywords', '-9218868437227405312']], { Severity: 4, Keywords: '-9218868437227405312' }],
    [[['keywords', 'Keywords', '-9214364837600034816']], { Keywords: '-9214364837600034816' }],
    [
      [
        [null, 'Empty', ''],
        [null, 'Bookmark', 'System.Diagnostics.Eventing.Reader.EventBookmark'],
        [null, 'Properties', 'System.Collections.Generic.List`1[System.Object]'],
      ],
      { Bookmark: 'System.Diagnostics.Eventing.Reader.EventBookmark' },
    ],
  ])('%#', (parts, message) => expect(messageOf(parts)).toEqual(message));

  it('keeps the record when that is wanted', () => {
    expect(messageOf([['message', 'Message', 'words']], { payload_keep: true, type: 'win' })).toEqual({
      Type: 'win',
      Payload: 'record',
      Message: 'words',
    });
  });
});
