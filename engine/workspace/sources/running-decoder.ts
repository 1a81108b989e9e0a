import type { End } from '../../api/ends.ts';
import { basename } from 'node:path';
import type { DecoderChoice, PluginInfo } from '../../api/types.ts';
import { sandboxSpec, type SandboxStarter } from '../../plugins/sandboxes.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import type { Sandbox, SandboxReport } from '../../sandbox/contract/types.ts';
import { pluginInfo } from '../common/plugin-info.ts';

/** A decoder that a source runs, with its last report and its end. */
export class RunningDecoder {
  /** Bundled name or path of the script. */
  readonly name: string;
  readonly sandbox: Sandbox;
  /** The reason of its end; null: it has not ended. */
  end: End | null = null;
  #report: SandboxReport | null = null;
  readonly #tried: SandboxReport | null;

  /** @param tried its report after it was tried, to recognise the source: what it did until then is not counted */
  constructor(name: string, sandbox: Sandbox, tried: SandboxReport | null = null) {
    this.name = name;
    this.sandbox = sandbox;
    this.#tried = tried;
  }

  /** Requests its report. */
  async poll(): Promise<void> {
    if (this.end === null) this.#report = await this.sandbox.report().catch(() => this.#report);
  }

  /** The description of the decoder for the window. @param rate messages a second */
  info(id: string, source: { readonly id: number; readonly label: string }, rate: number): PluginInfo {
    const spec = { ...this.sandbox.spec, name: `${decoderTitle(this.name)} (${source.label})` };
    const bundled = /^\w[\w-]*$/.test(this.name);
    const facts = { id, spec, section: null, bundled, matcher: null, source: source.id, injectedRate: rate, rate };
    return pluginInfo({ ...facts, end: this.end, report: this.#own() });
  }

  #own(): SandboxReport | null {
    const [report, tried] = [this.#report, this.#tried];
    if (report === null || tried === null) return report;
    const { processed, failures, injected } = report;
    return {
      ...report,
      processed: processed - tried.processed,
      failures: failures - tried.failures,
      injected: injected - tried.injected,
    };
  }
}

/**
 * Starts a decoder for a source.
 * @param label of the source
 * @throws {EngineError} `plugin.unknown`, `plugin.parameter`, `plugin.load`
 */
export async function startDecoder(starter: SandboxStarter, choice: DecoderChoice, label: string): Promise<Sandbox> {
  const { name, config, limits = {}, modules = [], folder } = choice;
  const title = `${decoderTitle(name)} (${label})`;
  return starter.start(
    sandboxSpec('decoder', findPlugin('decoder', name), {
      name: title,
      config,
      limits,
      modules,
      folder,
    }),
  );
}

/** The title of a decoder: its bundled name, or the file name of its script. */
export const decoderTitle = (name: string): string => basename(name);
