import type { PluginInfo } from '../../../../engine/api/types.ts';
import type { Action } from '../../lib/actions.ts';
import type { App } from '../../state/app.svelte.ts';

/** The actions on a plugin, the most common first. */
export function pluginActions(app: App, plugin: PluginInfo): Action[] {
  return plugin.kind === 'decoder' ? decoderActions(app, plugin) : filterActions(app, plugin);
}

function decoderActions(app: App, plugin: PluginInfo): Action[] {
  const { source, state } = plugin;
  return [
    { label: state === 'terminated' ? 'Restart' : 'Decode anew', run: () => void app.plugins.start(plugin) },
    { label: 'Choose another decoder…', run: () => (app.sources.decoderOf = source) },
    { ...scriptAction(app, plugin), separate: true },
  ];
}

function filterActions(app: App, plugin: PluginInfo): Action[] {
  const { section, source, name, state } = plugin;
  const on = state === 'running' || state === 'starting';
  const first: Action[] = on
    ? [
        { label: 'Stop', run: () => void app.plugins.stop(plugin) },
        { label: 'Reload', run: () => void app.plugins.reload(plugin, true) },
        { label: 'Begin anew', run: () => void app.plugins.reload(plugin, false) },
      ]
    : [{ label: state === 'terminated' ? 'Restart' : 'Start', run: () => void app.plugins.start(plugin) }];
  if (section === null) return first;
  return [
    ...first,
    { label: 'Edit…', separate: true, run: () => void app.plugins.edit(section) },
    scriptAction(app, plugin),
    { label: 'Show its graphs', separate: true, run: () => void app.showGraphsOf(name) },
    { label: 'Show its records', run: () => app.showSelected(plugin.matcher ?? 'TRUE', source) },
    { label: 'Remove', separate: true, run: () => void app.plugins.remove(section) },
  ];
}

function scriptAction(app: App, { kind, script, bundled, source, section }: PluginInfo): Action {
  const name = script.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
  const of = kind === 'decoder' ? 'decoder' : 'filter';
  return {
    label: bundled ? 'Copy its script into the editor' : 'Edit its script',
    run: () => void app.plugins.openScript(of, bundled ? name : script, { source, section }),
  };
}
