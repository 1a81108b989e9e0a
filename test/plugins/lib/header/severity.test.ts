import { expect, test } from 'vitest';
import { SeverityScale } from '../../../../plugins/lib/header/severity.ts';

const pino = new SeverityScale('pino');

test.each([
  ['emerg', 0],
  ['PANIC', 0],
  ['alert', 1],
  ['CRITICAL', 2],
  ['Fatal', 2],
  ['ERROR', 3],
  ['err', 3],
  ['E', 3],
  ['Warning', 4],
  ['warn', 4],
  ['notice', 5],
  ['Information', 6],
  ['INFO', 6],
  ['debug', 7],
  ['TRACE', 7],
  ['0', 0],
  ['6', 6],
  ['30', 6],
  ['\u001b[31merror\u001b[39m', 3],
  [40000, 3],
  [20000, 6],
  [0, 0],
  [7, 7],
  [10, 7],
  [20, 7],
  [30, 6],
  [35, 6],
  [40, 4],
  [50, 3],
  [60, 2],
  [100, 2],
  ['', -1],
  ['high', -1],
  ['constructor', -1],
  [8, -1],
  [-1, -1],
  [101, -1],
  [3.5, -1],
  [true, -1],
])('%j', (level, severity) => {
  expect(pino.severityOf(level)).toBe(severity);
});

test.each([
  [10, 7],
  [20, 6],
  [30, 4],
  [40, 3],
  [50, 2],
])("Python's %j", (level, severity) => {
  expect(new SeverityScale('python').severityOf(level)).toBe(severity);
});

test.each([
  [100, 7],
  [200, 6],
  [250, 5],
  [400, 3],
  [600, 0],
  [4, -1],
])("Monolog's %j", (level, severity) => {
  expect(new SeverityScale('monolog').severityOf(level)).toBe(severity);
});

test.each([
  [4, 7],
  [9, 6],
  [13, 4],
  [17, 3],
  [24, 2],
  [25, -1],
])("OpenTelemetry's %j", (level, severity) => {
  expect(new SeverityScale('opentelemetry').severityOf(level)).toBe(severity);
});

test('an unknown scale', () => {
  expect(() => new SeverityScale('toString')).toThrow('severity_scale must be one of pino, python');
});
