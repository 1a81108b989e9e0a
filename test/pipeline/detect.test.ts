import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DecoderDetector } from '../../engine/pipeline/detect.ts';
import { startSandboxes } from '../../engine/pipeline/starter.ts';

const sandboxes = startSandboxes({ hosts: 1 });
afterAll(() => sandboxes.close());
const errors: string[] = [];
const detector = new DecoderDetector(sandboxes, (text) => errors.push(text));

const sample = (name: string): string[] =>
  readFileSync(resolve(import.meta.dirname, '../../resources/samples', name), 'utf8').split('\n', 120);
const COMMON = '203.0.113.9 - alice [05/Mar/2021:13:07:59 +0100] "GET /a?b=1 HTTP/1.1" 200 5120';
const COMBINED = `${COMMON} "https://example.org/" "Mozilla/5.0"`;
const times = (line: string, count: number): string[] => new Array<string>(count).fill(line);

describe('DecoderDetector', () => {
  it.each<{ title: string; lines: string[]; name: string; format?: RegExp; confidence: number }>([
    { title: 'the sample access log', lines: sample('access.log'), name: 'nginx_access', format: /user_agent"$/, confidence: 0.9 },
    { title: 'the sample syslog', lines: sample('syslog.log'), name: 'syslog', confidence: 0.9 },
    { title: 'syslog of RFC 5424', lines: sample('syslog-5424.log'), name: 'syslog', confidence: 0.9 },
    { title: 'the combined format', lines: times(COMBINED, 3), name: 'nginx_access', format: /user_agent"$/, confidence: 1 },
    { title: 'the common format', lines: times(COMMON, 3), name: 'nginx_access', format: /body_bytes_sent$/, confidence: 1 },
    {
      title: 'the combined format behind a proxy',
      lines: times(`${COMBINED} "198.51.100.7"`, 3),
      name: 'nginx_access',
      format: /forwarded_for"$/,
      confidence: 1,
    },
    {
      title: 'Apache with virtual hosts',
      lines: times(`example.org:443 ${COMBINED}`, 3),
      name: 'apache_access',
      format: /^%v:%p/,
      confidence: 1,
    },
    {
      title: 'a log with damaged lines',
      lines: [...times(COMBINED, 7), ...times('at java.lang.Thread.run', 3)],
      name: 'nginx_access',
      confidence: 0.7,
    },
  ])('finds $title', async ({ lines, name, format, confidence }) => {
    const found = await detector.detect(lines);
    expect(found?.name).toBe(name);
    expect(found?.confidence).toBeGreaterThanOrEqual(confidence - 1e-9);
    if (format) expect(found?.config.log_format).toMatch(format);
    await found?.sandbox.stop();
  });

  it.each<[string, string[]]>([
    ['nothing', []],
    ['empty lines', ['', '  ']],
    ['prose', times('It was a dark and stormy night.', 20)],
    ['mostly something else', [...times(COMBINED, 5), ...times('at java.lang.Thread.run', 5)]],
  ])('finds no decoder for %s', async (_, lines) => {
    expect(await detector.detect(lines)).toBeNull();
    expect(errors).toEqual([]);
  });
});
