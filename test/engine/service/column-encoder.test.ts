import { describe, expect, test } from 'vitest';
import { columnEncoder } from '../../../engine/service/column-encoder.ts';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { startParameters } from '../../../engine/plugins/parameters.ts';
import { sandboxSpec } from '../../../engine/plugins/sandboxes.ts';
import { DEFAULT_LIMITS, type SandboxSpec } from '../../../engine/sandbox/contract/types.ts';

describe('the engine encodes by itself', () => {
  const of = (name: string, config = {}): [SandboxSpec, ReturnType<typeof findPlugin>] => {
    const plugin = findPlugin('encoder', name);
    return [sandboxSpec('encoder', plugin, { config: startParameters(plugin, config) }), plugin];
  };

  test.each<[string, Record<string, string>, Partial<SandboxSpec>, boolean]>([
    ['plain_text', {}, {}, true],
    ['json_lines', {}, {}, true],
    ['json_lines', {}, { limits: { ...DEFAULT_LIMITS, output: 100 } }, true],
    ['json_lines', { timestamp: 'ms' }, {}, false],
    ['json_lines', { skip_fields: 'a' }, {}, false],
    ['json_lines', { nested_fields: 'a' }, {}, false],
    ['json_lines', {}, { limits: { ...DEFAULT_LIMITS, instructions: 5 } }, false],
    ['json_lines', {}, { preservation: '/tmp/state' }, false],
    ['json_lines', {}, { text: 'export function process_message() { return 0; }' }, false],
    ['alert', {}, {}, false],
  ])('%s with %j and %j: %s', (name, config, parts, expected) => {
    const [spec, plugin] = of(name, config);
    expect(columnEncoder({ ...spec, ...parts }, plugin) !== null).toBe(expected);
  });
});
