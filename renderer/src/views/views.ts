import Bell from '@lucide/svelte/icons/bell';
import Blocks from '@lucide/svelte/icons/blocks';
import ChartLine from '@lucide/svelte/icons/chart-line';
import Database from '@lucide/svelte/icons/database';
import FileText from '@lucide/svelte/icons/file-text';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import Logs from '@lucide/svelte/icons/logs';
import Settings from '@lucide/svelte/icons/settings';
import type { Component } from 'svelte';
import type { ViewName } from '../../../engine/api/views.ts';
import LogsView from './logs/LogsView.svelte';

/** The looks of a view. */
interface ViewFace {
  readonly icon: typeof Bell;
  /** Reads its code, which the window does when it is opened. */
  readonly load: () => Promise<{ readonly default: Component }>;
}

/** The faces of all views; their names, titles and keys stand in `engine/api/views.ts`. */
export const VIEW_FACES: Readonly<Record<ViewName, ViewFace>> = {
  logs: { icon: Logs, load: () => Promise.resolve({ default: LogsView }) },
  overview: { icon: LayoutDashboard, load: () => import('./overview/OverviewView.svelte') },
  charts: { icon: ChartLine, load: () => import('./charts/ChartsView.svelte') },
  scripts: { icon: Blocks, load: () => import('./scripts/ScriptsView.svelte') },
  alerts: { icon: Bell, load: () => import('./alerts/AlertsView.svelte') },
  incident: { icon: FileText, load: () => import('./incident/IncidentView.svelte') },
  query: { icon: Database, load: () => import('./query/QueryView.svelte') },
  settings: { icon: Settings, load: () => import('./settings/SettingsView.svelte') },
};
