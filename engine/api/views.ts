/** The views of the window, in the order of its rail; each is a command of the menu, the palette and the keys. `renderer/src/views/views.ts` draws them. */
const TABLE = [
  { name: 'logs', title: 'Logs', key: 'Mod+1' },
  { name: 'graphs', title: 'Graphs', key: 'Mod+2' },
  { name: 'items', title: 'Items', key: 'Mod+3' },
  { name: 'schema', title: 'Schema', key: 'Mod+4' },
  { name: 'plugins', title: 'Plugins', key: 'Mod+5' },
  { name: 'alerts', title: 'Alerts', key: 'Mod+6' },
  { name: 'query', title: 'Query', key: 'Mod+7' },
  { name: 'patterns', title: 'Patterns', key: 'Mod+8' },
  { name: 'timeline', title: 'Timeline', key: 'Mod+9' },
  { name: 'settings', title: 'Settings', key: 'Mod+,' },
] as const;

export type ViewName = (typeof TABLE)[number]['name'];

/** A view of the window. */
export interface View {
  readonly name: ViewName;
  readonly title: string;
  readonly key: string;
}

export const VIEWS: readonly View[] = TABLE;
