import { isDeepStrictEqual } from 'node:util';
import { JsonSink, STANDARD } from '../message/json/json-sink.ts';
import { startParameters } from '../plugins/parameters.ts';
import type { PluginScript } from '../plugins/types.ts';
import { isOurs } from '../sandbox/ours/seating.ts';
import { shippedCode } from '../sandbox/ours/script-code.ts';
import type { SandboxSpec } from '../sandbox/contract/types.ts';
import type { RowsEncoder } from '../outputs/encode.ts';
import { flatLines } from '../outputs/flat-lines.ts';
import { LineMemory, payloadLines } from '../outputs/payload-lines.ts';

/**
 * The encoder that writes what a bundled script with these settings does, from whole columns, without a sandbox; null: there is none. The script
 * has to be as it was shipped, and to have its defaults.
 * @param transient the next call may use the memory of the pieces again
 */
export function columnEncoder(spec: SandboxSpec, plugin: PluginScript, { transient = false } = {}): RowsEncoder | null {
  const { config, limits, script } = spec;
  const isPlain = plugin.name === 'plain_text';
  if (!isPlain && plugin.name !== 'json_lines') return null;
  if (!isOurs(spec) || !isDeepStrictEqual(config, startParameters(plugin, {})) || !isShippedScript(script)) return null;
  const memory = transient ? new LineMemory() : undefined;
  if (isPlain) return (batch, rows) => payloadLines(batch, rows, limits.output, memory);
  const sink = transient ? new JsonSink(undefined, STANDARD) : undefined;
  return (batch, rows) => flatLines(batch, rows, limits.output, sink);
}

function isShippedScript(path: string): boolean {
  try {
    return shippedCode(path).text !== '';
  } catch {
    return false;
  }
}
