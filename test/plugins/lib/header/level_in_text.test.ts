import { describe, expect, it } from 'vitest';
import { severityInText } from '../../../../plugins/lib/header/level_in_text.ts';

describe('severityInText', () => {
  it.each([
    ['2026/11/20 10:00:01 [error] 123#0: *1 connect() failed', 3],
    ['2026-11-20T10:00:01.250+01:00 WARN slow query', 4],
    ['ERROR: cannot open database', 3],
    ['error: maximum authentication attempts exceeded', 3],
    ['WARN slow query', 4],
    ['\u001b[31mERROR\u001b[0m no', 3],
    ['fail: Microsoft.Shop[0]', 3],
    ['✗ error: no', 3],
    ['❌ ERROR no', 3],
    ['| ERROR | no', 3],
    ['(ERROR) no', 3],
    ['[E] no', 3],
    ['E: Unable to locate package shop', 3],
    ['E/Till: no', 3],
    ['PHP Fatal error:  no', 2],
    ['fatal error: no', 2],
    ['[main] ERROR org.example.Shop - no', 3],
    ['main.ERROR: no', 3],
    ['[WARNING] low disk', 4],
    ['[ Fatal ] out of memory', 2],
    ['<info>  [1700000000.1] manager: started', 6],
    ['level=warn msg="x"', 4],
    ['time="2026-11-20T10:00:01Z" level=error msg="x"', 3],
    ['Info: ready', 6],
    ['CRITICAL - disk', 2],
    ['DEBUG | x', 7],
    ['E0305 13:07:59.250123    1234 pod_workers.go:191] no', 3],
    ['{"time":1,"level":"warn","msg":"slow"}', 4],
    ['{"severity": "ERROR"}', 3],
    ['{"level":30,"msg":"x"}', 6],
  ])('%s: %d', (text, severity) => expect(severityInText(`before ${text}`, 7, 7 + text.length)).toBe(severity));

  it.each([
    'no errors found',
    'I: am here',
    '[main] Errors seen',
    'a.b: no',
    'Error reading file',
    'EXT4-fs error (device sda1)',
    'Failed to start foo.',
    'warning lights are on',
    'ERRORS: 0',
    'information: none',
    '(root) CMD (run-parts)',
    'levels=3',
    'E0305 is a code',
    '{"level":"gold"}',
    '{"msg":"x"}',
    '',
  ])('leaves %j alone', (text) => expect(severityInText(text, 0, text.length)).toBe(-1));

  it('looks at its own text alone', () => {
    expect(severityInText('WARN x', 0, 3)).toBe(-1);
    expect(severityInText('ERROR\nWARN x', 0, 5)).toBe(-1);
    expect(severityInText('E0305 13:07:59.250', 0, 9)).toBe(-1);
    expect(severityInText('{} "level":"warn"', 0, 2)).toBe(-1);
  });
});
