import { describe, expect, test } from 'vitest';
import { crashEnd, crashText, isFromOutside, mayBeChance } from '../../../../engine/sandbox/hosts/crash-end.ts';
import type { HostCrash } from '../../../../engine/sandbox/hosts/host-process.ts';
import { DEFAULT_LIMITS, type SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';

const spec = { limits: DEFAULT_LIMITS } as SandboxSpec;
const crash = (parts: Partial<HostCrash>): HostCrash => ({ code: null, signal: null, said: '', running: 1, killed: null, ...parts });
const LIMIT = { bytes: 2_048_000_000, command: 'ulimit -v' };
const limited = () => [LIMIT];
const unlimited = () => [];

describe('the end of the sandbox whose host crashed', () => {
  test.each<[Partial<HostCrash>, string]>([
    [{ killed: 'heavy', signal: 'SIGKILL' }, 'limit.memory'],
    [{ killed: 'overdue', signal: 'SIGKILL' }, 'limit.time'],
    [{ killed: 'asked', signal: 'SIGKILL' }, 'sandbox.stopped'],
    [{ killed: 'broken', signal: 'SIGKILL' }, 'sandbox.protocol'],
    [{ signal: 'SIGSEGV' }, 'host.crashed'],
    [{ signal: 'SIGABRT', said: 'Fatal process out of memory: Zone' }, 'host.crashed'],
    [{ code: 1 }, 'host.crashed'],
  ])('%j', (parts, code) => {
    expect(crashEnd(crash(parts), spec, unlimited).code).toBe(code);
  });

  test.each([
    '# Fatal process out of memory: Failed to reserve virtual memory for CodeRange',
    'FATAL ERROR: Zone Allocation failed - process out of memory',
    "terminate called after throwing an instance of 'std::bad_alloc'",
    'Error: ENOMEM: not enough memory, read',
  ])('names the limit of the process when the system gave no memory: %s', (said) => {
    const end = crashEnd(crash({ signal: 'SIGTRAP', said }), spec, limited);
    expect(end).toMatchObject({ code: 'host.memory', limit: LIMIT.bytes });
    expect(end.reason).toBe(
      'the process of the sandbox got no memory from the system (SIGTRAP): ulimit -v limits each process to 2048000000 bytes',
    );
  });

  test('does not blame such a limit for other crashes', () => {
    expect(crashEnd(crash({ signal: 'SIGSEGV', said: 'x' }), spec, limited).code).toBe('host.crashed');
    expect(crashEnd(crash({ killed: 'heavy', said: 'out of memory' }), spec, limited).code).toBe('limit.memory');
  });
});

test('a signal that no script can send, and that the engine has not sent, is from outside', () => {
  expect(isFromOutside(crash({ signal: 'SIGKILL' }))).toBe(true);
  expect(isFromOutside(crash({ signal: 'SIGKILL', killed: 'heavy' }))).toBe(false);
  expect(isFromOutside(crash({ signal: 'SIGSEGV' }))).toBe(false);
  expect(isFromOutside(crash({ code: 1 }))).toBe(false);
});

test('a crash without a word may be chance, one that says what it lacks is not', () => {
  expect(mayBeChance(crash({ signal: 'SIGSEGV' }))).toBe(true);
  expect(mayBeChance(crash({ signal: 'SIGABRT', said: 'Fatal process out of memory: Zone' }))).toBe(false);
  expect(mayBeChance(crash({ signal: 'SIGSEGV', killed: 'heavy' }))).toBe(false);
  expect(mayBeChance(crash({ code: 1 }))).toBe(false);
});

test.each<[Partial<HostCrash>, string]>([
  [{ signal: 'SIGSEGV' }, 'A sandbox host ended by itself (SIGSEGV) and was replaced.'],
  [{ code: 1 }, 'A sandbox host ended by itself (exit code 1) and was replaced.'],
  [{ signal: 'SIGKILL', killed: 'heavy' }, 'A sandbox host was ended, because it took too much memory, and was replaced.'],
  [{ signal: 'SIGKILL', killed: 'overdue' }, 'A sandbox host was ended, because a call in it took too long, and was replaced.'],
])('a crash is told to users: %j', (parts, text) => expect(crashText(crash(parts))).toBe(text));
