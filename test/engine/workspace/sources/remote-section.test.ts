import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { remoteName, remoteSection } from '../../../../engine/workspace/sources/remote-section.ts';

/** Stands in for ssh. */
let programs: string;
beforeAll(() => {
  programs = mkdtempSync(join(tmpdir(), 'sluicebox-ssh-'));
  writeFileSync(join(programs, 'ssh'), '#!/bin/sh\n');
  chmodSync(join(programs, 'ssh'), 0o755);
});

function argumentsFor(host: string, path: string): string[] {
  const { command } = remoteSection({ kind: 'remote', host, path }, programs) as { command: { 0: { bin: string; args: string[] } } };
  expect(command[0].bin).toBe('ssh');
  return command[0].args;
}

describe('a file of another machine', () => {
  it('is followed by the ssh of the system, which gets its arguments one by one', () => {
    const args = argumentsFor('maria@web1', '/var/log/syslog');
    expect(args.slice(-3)).toEqual(['--', 'maria@web1', "exec tail -n +1 -F -- '/var/log/syslog'"]);
    expect(args).toContain('BatchMode=yes');
    expect(argumentsFor('[::1]', '/x').at(-2)).toBe('::1');
    expect(argumentsFor('web1', '~/a b.log').at(-1)).toBe("exec tail -n +1 -F -- ~'/a b.log'");
  });

  it('is named as it is there, whatever its name holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const path = `/${name.replaceAll(/\p{Cc}/gu, "'$(id)`")}`;
        const line = argumentsFor('web1', path).at(-1) ?? '';
        const words = line.replace('exec tail', 'printf "%s\\n"');
        const { stdout } = spawnSync('/bin/sh', ['-c', words], { encoding: 'utf8' });
        expect(stdout.split('\n').slice(0, 5)).toEqual(['-n', '+1', '-F', '--', path]);
      }),
      { numRuns: 40 },
    );
  });

  it('needs ssh, and says so', () => {
    const none = mkdtempSync(join(tmpdir(), 'sluicebox-none-'));
    const make = (): unknown => remoteSection({ kind: 'remote', host: 'web1', path: '/x' }, none);
    expect(make).toThrow(
      expect.objectContaining({ code: 'program.missing', message: expect.stringContaining('openssh-client') as string }),
    );
  });

  it('has a section of its own', () => {
    const target = { kind: 'remote', host: 'web1', path: '/x' } as const;
    expect(remoteName(target, () => false)).toBe('web1:/x');
    expect(remoteName(target, (name) => name === 'web1:/x')).toBe('web1:/x 2');
  });
});
