import type { DecoderAbout, DecoderPreview, PreviewRecord } from '../../api/types.ts';
import { EngineError } from '../../base/errors.ts';
import { batchOf } from '../../message/batch/builder.ts';
import type { Message } from '../../message/types.ts';
import { sandboxSpec, type SandboxStarter } from '../../plugins/sandboxes.ts';
import { findPlugin, scriptReference } from '../../plugins/catalog.ts';
import type { Config } from '../../plugins/parameters.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { fieldInfo } from '../../store/rows.ts';
import { milliseconds } from '../../store/times.ts';
import { decoderTitle } from './running-decoder.ts';
import { parametersOf } from '../common/script-about.ts';

/** Number of records that are tried, and of messages that are shown. */
export const PREVIEW_RECORDS = 50;
const SHOWN = 3;

/**
 * Runs a decoder over some records in a sandbox of its own.
 * @throws {EngineError} `plugin.unknown`, `plugin.parameter`, `plugin.load`, or `decoder.terminated`
 */
export async function previewDecoder(
  starter: SandboxStarter,
  decoder: { readonly name: string; readonly config: Readonly<Config> },
  records: readonly Message[],
): Promise<DecoderPreview> {
  const sandbox = await starter.start(sandboxSpec('decoder', findPlugin('decoder', decoder.name), { config: decoder.config }));
  try {
    if (records.length === 0) return { records: [], tried: 0, failed: 0, reason: null };
    const { injected, failures, terminated } = await sandbox.process(batchOf(records), null);
    if (terminated !== null) throw new EngineError('decoder.terminated', `The decoder ${decoder.name} has ended: ${terminated.reason}`);
    const shown = Math.min(SHOWN, injected?.length ?? 0);
    return {
      records: Array.from({ length: shown }, (_unused, row) => previewOf(injected?.message(row) as Message)),
      tried: records.length,
      failed: failures.length,
      reason: failures[0]?.reason ?? null,
    };
  } finally {
    await sandbox.stop();
  }
}

/** A decoder with its parameters, as its script declares them. */
export const decoderAbout = (plugin: PluginScript): DecoderAbout => ({
  name: scriptReference(plugin),
  title: decoderTitle(scriptReference(plugin)),
  summary: plugin.meta?.summary ?? '',
  parameters: parametersOf(plugin) ?? [],
});

/** A message as the window shows it beside a script. */
export function previewOf({ timestamp, severity, type, payload, fields }: Message): PreviewRecord {
  return {
    time: milliseconds(timestamp),
    severity: severity ?? null,
    type: type ?? '',
    payload: payload ?? null,
    fields: fields.map(fieldInfo),
  };
}
