import type { DecoderParameter, ScriptAbout } from '../../api/types.ts';
import type { PluginScript } from '../../plugins/types.ts';

/** The parameters of a script, as its meta declares them; null: it has no meta. */
export function parametersOf({ meta }: Pick<PluginScript, 'meta'>): DecoderParameter[] | null {
  if (meta === null) return null;
  return Object.entries(meta.parameters).map(([name, { default: usual = null, required = false, format: _, ...declared }]) => ({
    ...declared,
    name,
    required,
    default: usual,
  }));
}

/** The description of a script by its meta. @param script its name in the window @param text of one of the user's own; the bundled ones all have a `timer_event` */
export const scriptAbout = (plugin: PluginScript, script: string, text?: string): ScriptAbout => ({
  script,
  summary: plugin.meta?.summary ?? '',
  parameters: parametersOf(plugin),
  ticks: text === undefined || /\btimer_event\b/.test(text),
});
