import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPlugin } from '../../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../../engine/plugins/sandboxes.ts';
import { seatingList } from '../../../../engine/sandbox/ours/seating-docs.ts';
import { placeOf, seatsFor, type SeatName } from '../../../../engine/sandbox/ours/seating.ts';
import type { SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';
import { withSection } from '../../../../scripts/lib/page-section.mjs';
import { sluicebox } from '../../cli/run-cli.ts';

const COMMAND = { here: true, threads: 1 };
const SERVICE = { here: false, threads: 1 };
const ONE_CORE = { here: false, threads: 0 };

const decoder = sandboxSpec('decoder', findPlugin('decoder', 'rfc3164'));
const filter = sandboxSpec('filter', findPlugin('filter', 'http_status'));

describe('the table of seats', () => {
  it.each<[string, SandboxSpec, typeof COMMAND, readonly SeatName[]]>([
    ['a decoder of a command', decoder, COMMAND, ['here', 'thread', 'host']],
    ['a decoder of a service', decoder, SERVICE, ['thread', 'host']],
    ['a decoder on one core', decoder, ONE_CORE, ['host']],
    ['a decoder that keeps something', { ...decoder, stateless: false }, SERVICE, ['host']],
    ['a filter of a command', filter, COMMAND, ['here', 'host']],
    ['a filter of a service', filter, SERVICE, ['host']],
    ['one with a limit of somebody', { ...filter, limits: { ...filter.limits, instructions: 5 } }, COMMAND, ['host']],
    ['a draft', { ...decoder, text: '' }, COMMAND, ['host']],
  ])('has %s', (_, spec, seats, expected) => expect(seatsFor(spec, seats)).toEqual(expected));

  it('says the place in words', () => {
    expect(placeOf(decoder, COMMAND)).toBe('the process itself');
    expect(placeOf(filter, SERVICE)).toBe('an isolate of a sandbox host');
  });

  it('is listed in docs/architecture-scripts.md (else: npm run docs)', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/architecture-scripts.md'), 'utf8');
    expect(withSection(page, 'seats', seatingList())).toBe(page);
  });

  it('is told of a script by the command, whatever parameters it needs', async () => {
    const { code, out } = await sluicebox(['sandbox', 'nginx_access', '--where']);
    expect(code).toBe(0);
    expect(out).toContain('commands, and services that end with their input: the process itself\n');
  });
});
