import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sluicebox } from '../run-cli.ts';

const own = resolve(import.meta.dirname, '../../../../resources/rules');
const folder = mkdtempSync(join(tmpdir(), 'sluicebox-rules-'));
const log = join(folder, 'access.log');
const line = (target: string): string => `192.0.2.1 - - [05/Mar/2026:13:07:59 +0000] "GET ${target} HTTP/1.1" 200 2 "-" "Mozilla/5.0"\n`;
writeFileSync(log, line('/') + line('/.env') + line('/a'));
const wrong = join(folder, 'wrong.yml');
writeFileSync(
  wrong,
  "title: Wrong\nlogsource: { category: webserver }\ndetection:\n    sel:\n        cs-uri|contain: 'x'\n    condition: sel\n",
);

describe('sluicebox rules', () => {
  it('prints hits as JSON or as text', async () => {
    const { code, lines } = await sluicebox(['rules', 'run', own, log]);
    expect([code, lines()]).toEqual([
      0,
      [
        expect.objectContaining({
          ...{ time: '2026-03-05T13:07:59Z', rule: 'Request for a file with secrets', level: 'high', line: 2, file: log },
          record: expect.objectContaining({ Type: 'nginx.access' }) as unknown,
        }),
      ],
    ]);
    const { out } = await sluicebox(['rules', 'run', '--to', 'text', own, log]);
    expect(out).toMatch(/^high +Request for a file with secrets · .*access\.log:2 · 2026-03-05T13:07:59Z /);
  });

  it('ends with 1 when no rule is true, and with 2 when something cannot be read', async () => {
    expect((await sluicebox(['rules', 'run', '--level', 'critical', own, log])).code).toBe(1);
    expect(await sluicebox(['rules', 'run', own, join(folder, 'none')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('none') as unknown,
    });
    expect((await sluicebox(['rules', 'run', join(folder, 'none.yml'), log])).code).toBe(2);
    expect((await sluicebox(['rules', 'run', log])).code).toBe(2);
    expect((await sluicebox(['rules', 'walk'])).code).toBe(2);
  });

  it('checks rules', async () => {
    expect(await sluicebox(['rules', 'check', own])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^\d+ of \d+ rules loaded \(100\.0 %\)\n$/) as unknown,
    });
    const { code, err, out } = await sluicebox(['rules', 'check', '--fields', own, wrong]);
    expect([code, err]).toEqual([1, `sluicebox: ${wrong}:5: Wrong: there is no modifier contain; did you mean contains?\n`]);
    expect(out).toMatch(/rules loaded \(9\d\.\d %\)/);
  });
});
