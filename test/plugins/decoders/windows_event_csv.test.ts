import { describe, expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const AT = { Timestamp: '1614949679000000000' };

describe('windows_event_csv', () => {
  const VIEWER = 'Level,Date and Time,Source,Event ID,Task Category';

  /** The messages of the records, the header first. */
  function decodeAll(records: readonly string[], config: Record<string, string | boolean> = {}): (Decoded | string)[] {
    const decode = decoder('windows_event_csv', config);
    return records.map((record) => decode(record));
  }

  test.each([
    [VIEWER, 'Error,3/5/2021 1:07:59 PM,Disk,7,None,"a\nb"'],
    ['\ufeffEbene,Datum und Uhrzeit,Quelle,Ereignis-ID,Aufgabenkategorie', 'Fehler,05.03.2021 13:07:59,Disk,7,None,"a\nb"'],
    ['Niveau,Date et heure,Source,ID de l’événement,Catégorie de la tâche', 'Erreur,05/03/2021 13:07:59,Disk,7,None,"a\nb"'],
  ])('%s', (header, record) => {
    expect(decodeAll([header, record, header])).toEqual([
      'passed on',
      { ...AT, Severity: 3, Logger: 'Disk', Payload: 'a\nb', Provider: 'Disk', EventID: 7, Task: 'None' },
      'passed on',
    ]);
  });

  test('another language', () => {
    const [, found] = decodeAll(['レベル,日付と時刻,ソース,イベント ID,タスクのカテゴリ', 'エラー,2021/03/05 13:07:59,Disk,7,なし,本文']);
    expect(found).toEqual({ ...AT, Logger: 'Disk', Payload: '本文', Provider: 'Disk', EventID: 7, Task: 'なし', レベル: 'エラー' });
  });

  test.each([
    ['Audit Failure', 4],
    ['Audit Success', 6],
  ])('keywords of the security log: %s', (keywords, severity) => {
    const [, found] = decodeAll([
      'Keywords,Date and Time,Source,Event ID,Task Category',
      `${keywords},3/5/2021 1:07:59 PM,Security,4625,Logon,x`,
    ]);
    expect(found).toMatchObject({ ...AT, Keywords: keywords, ...(severity === 4 ? { Severity: 4 } : {}) });
  });

  test.each([
    ['3/5/2021 1:07:59 PM', '1614949679'],
    ['3/5/2021 1:07:59\u202fPM', '1614949679'],
    ['3/5/2021 12:07:59 AM', '1614902879'],
    ['15/3/2021 1:07:59 pm', '1615813679'],
    ['05.03.2021 13:07', '1614949620'],
    ['2021-03-05 13:07:59', '1614949679'],
    ['2021-03-05T13:07:59Z', '1614949679'],
  ])('the date %s', (date, seconds) => {
    expect(decodeAll([VIEWER, `Warning,${date},Disk,7,None,x`])[1]).toMatchObject({ Timestamp: `${seconds}000000000`, Severity: 4 });
  });

  test('a column and a level with the names of methods', () => {
    const [, found] = decodeAll(['Level,Date and Time,Source,Event ID,constructor', 'constructor,3/5/2021 1:07:59 PM,Disk,7,x']);
    expect(found).toEqual({ ...AT, Logger: 'Disk', Provider: 'Disk', EventID: 7, Level: 'constructor', constructor: 'x' });
  });

  test('dates in a form of their own', () => {
    const config = { time_format: '%d/%m/%Y %I:%M:%S %p', tz: '+01:00' };
    expect(decodeAll([VIEWER, 'Warning,05/03/2021 02:07:59 PM,Disk,7,None,x'], config)[1]).toMatchObject(AT);
  });

  test('Get-WinEvent and Get-EventLog', () => {
    const header = '"TimeCreated","Id","Level","LevelDisplayName","ProviderName","MachineName","ProcessId","UserId","Properties","Message"';
    const record =
      '"3/5/2021 1:07:59 PM","7","2","Error","Disk","box1","812","S-1-5-18","System.Collections.Generic.List`1[System.Diagnostics.X]","say ""hi"""';
    expect(decodeAll(['#TYPE Selected.System.Diagnostics.Eventing.Reader.EventLogRecord', header, record])).toEqual([
      'passed on',
      'passed on',
      {
        ...{ ...AT, Severity: 3, Logger: 'Disk', Hostname: 'box1', Pid: 812, Payload: 'say "hi"' },
        ...{ EventID: 7, Level: '2', Provider: 'Disk', UserId: 'S-1-5-18' },
      },
    ]);
    const [, old] = decodeAll([
      '"EventID","MachineName","EntryType","Message","Source","TimeGenerated"',
      '"7","b","FailureAudit","m","S","3/5/2021 1:07:59 PM"',
    ]);
    expect(old).toMatchObject({ ...AT, Hostname: 'b', Severity: 4, Payload: 'm', Logger: 'S', EventID: 7 });
  });

  test.each([
    [[VIEWER, 'a,b'], 'refused: 2 values for 5 columns'],
    [[VIEWER, 'Error,"x'], 'refused: a quote that does not end'],
    [['', 'x'], 'refused: no column is a time of Windows'],
  ])('%j', (records, expected) => {
    expect(decodeAll(records)[1]).toBe(expected);
  });
});
