import { basename, dirname, join } from 'node:path';
import { parseDocument } from '../../config/document.ts';
import type { ManagedSection } from '../../config/managed.ts';
import type { ConfigProblem } from '../../config/problems.ts';
import type { FilterConfig } from '../../config/schema/sections.ts';
import { problemAt } from '../../config/sections.ts';
import { EngineError } from '../../base/errors.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { readMeta } from '../../plugins/meta.ts';
import { sandboxSpec } from '../../plugins/sandboxes.ts';
import { startSandboxes } from '../../plugins/starter.ts';
import type { PluginScript } from '../../plugins/types.ts';
import { wrongScript, type CheckedScript } from './check-scripts.ts';
import { loader } from './load-script.ts';

/** A filter that is to be sent to a manager. */
export interface SentFilter {
  /** The text of its configuration, and the file of that. */
  readonly config: string;
  readonly file: string;
  readonly section: ManagedSection;
  /** The checked section. */
  readonly filter: FilterConfig;
  /** The script that goes along; null: the section names a bundled one. */
  readonly script: { readonly path: string; readonly text: string } | null;
  /** Folders of modules as the manager has them. */
  readonly modules: readonly string[];
}

/** Finds out why the service that gets a filter would not start it: its script is started here, without the files beside it, which are not sent. */
export async function wrongManaged(sent: SentFilter): Promise<ConfigProblem[]> {
  const sandboxes = startSandboxes({ hosts: 1 });
  try {
    const { document } = parseDocument(sent.config, sent.file, null);
    const findings = await wrongScript(scriptOf(sent), loader(sandboxes));
    return findings.map(({ section, ...finding }) => {
      const hint = finding.code === 'script.load' && sent.script !== null ? ALONE : finding.hint;
      return problemAt(document, sent.file, section, { ...finding, hint });
    });
  } finally {
    await sandboxes.close();
  }
}

const ALONE = 'a script is sent alone: what it imports must be in the module_directory of the manager, given here as --module-directory';

function scriptOf({ section, filter, script, modules }: SentFilter): CheckedScript {
  const find = (): PluginScript => (script === null ? findPlugin('filter', filter.plugin ?? '') : pluginOf(script));
  const { memory_limit: memory, instruction_limit: instructions, output_limit: output } = filter;
  const options = {
    name: section.name,
    modules,
    limits: { memory, instructions, output },
    text: script?.text,
  };
  return {
    kind: 'filter',
    section: section.name,
    naming: script === null ? 'plugin' : 'filename',
    given: filter.config,
    ticking: filter.ticker_interval > 0 ? 'ticker_interval' : filter.timer_event_on_shutdown ? 'timer_event_on_shutdown' : null,
    find,
    spec: (config) => sandboxSpec('filter', find(), { ...options, config }),
  };
}

/** The script as the manager will have it: in a folder where nothing else is. */
function pluginOf({ path, text }: { readonly path: string; readonly text: string }): PluginScript {
  const meta = readMeta(text, path);
  if (meta !== null && meta.kind !== 'filter')
    throw new EngineError('plugin.kind', `${path} is a script of the kind ${meta.kind}: a manager loads filter scripts`);
  const name = basename(path).replace(/\.[mc]?ts$/, '.js');
  return { name: meta?.name ?? name, path: join(dirname(path), 'sent alone', name), meta };
}
