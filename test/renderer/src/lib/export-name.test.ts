import { describe, expect, test } from 'vitest';
import { exportName } from '../../../../renderer/src/lib/export-name.ts';

describe('exportName', () => {
  test.each([
    ['of one source', ['access.log'], 'raw', 'access-export.log'],
    ['with the ending of its form', ['access.log'], 'json', 'access-export.jsonl'],
    ['of a table', ['app.2026-11-20.log'], 'csv', 'app.2026-11-20-export.csv'],
    ['of a listener', ['udp:5514'], 'raw', 'udp_5514-export.log'],
    ['of a command', ['journalctl -f'], 'raw', 'journalctl_-f-export.log'],
    ['of a path that would lead elsewhere', ['../../etc/passwd'], 'raw', '.._.._etc_passwd-export.log'],
    ['of several sources', ['a.log', 'b.log'], 'raw', 'records-export.log'],
    ['of none', [], 'csv', 'records-export.csv'],
  ] as const)('%s', (_what, labels, format, name) => expect(exportName(labels, format)).toBe(name));
});
