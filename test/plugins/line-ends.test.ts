import { beforeAll, expect, test, vi } from 'vitest';
import { apacheLogFormat } from '../../plugins/lib/access/apache_log_format.ts';
import { WallClock } from '../../plugins/modules/time_zone.ts';
import { LineReader } from '../../plugins/lib/format/line_reader.ts';
import type { LogItem } from '../../plugins/lib/format/log_format.ts';
import { nginxLogFormat } from '../../plugins/lib/access/nginx_log_format.ts';
import { rsyslogTemplate } from '../../plugins/lib/syslog/rsyslog_template.ts';
import { readCases, type DecoderExpectation } from './support/conformance.ts';
import { compileFunction, unitsOf } from './support/sandbox.ts';

beforeAll(() => {
  vi.stubGlobal('compile_function', compileFunction);
});

const FORMATS: Record<string, (config: Record<string, unknown>) => LogItem[]> = {
  nginx_access: ({ log_format }) => nginxLogFormat(log_format as string),
  apache_access: ({ log_format }) => apacheLogFormat(log_format as string),
  rsyslog: ({ template }) => rsyslogTemplate(template as string, { hostnameKeep: false, now: () => 1.6e18, clock: new WallClock('UTC') }),
};

/** Values that the parser writes for the record [0, end) of the text; null when it refuses it. @param units code units of the text */
function written(reader: LineReader, text: string, end: number, units: Uint8Array | null): unknown[] | null {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): void =>
      void calls.push([name, ...args]);
  const writer = new Proxy({} as MessageWriter, { get: (_, name) => note(String(name)) });
  return reader.readSpan(writer, { text, start: 0, end, units }) ? calls : null;
}

test.each(Object.keys(FORMATS))('%s never looks behind the end of a record', (decoder) => {
  for (const { config, input } of readCases<string, DecoderExpectation>('formats.jsonl', decoder)) {
    const reader = new LineReader(FORMATS[decoder]?.(config) ?? [], decoder !== 'rsyslog');
    for (let end = 0; end <= input.length; end++) {
      const alone = written(reader, input.slice(0, end), end, null);
      for (const units of [null, unitsOf(input)]) {
        expect(written(reader, input, end, units), `${JSON.stringify(config)} ${input.slice(0, end)}`).toEqual(alone);
      }
    }
  }
});
