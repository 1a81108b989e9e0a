/** The views of the window, in the order of its rail; each is a command of the menu, the palette and the keys. `renderer/src/views/views.ts` draws them. */
const TABLE = [
  { name: 'logs', title: 'Logs', key: 'Mod+1' },
  { name: 'overview', title: 'Overview', key: 'Mod+2' },
  { name: 'charts', title: 'Charts', key: 'Mod+3', also: ['Graphs'] },
  { name: 'query', title: 'Query', key: 'Mod+4' },
  { name: 'alerts', title: 'Alerts', key: 'Mod+5' },
  { name: 'incident', title: 'Incident', key: 'Mod+I', also: ['Report', 'Post-mortem'], atFoot: true },
  { name: 'scripts', title: 'Scripts', key: 'Mod+6', also: ['Plugins', 'Pipeline'], atFoot: true },
  { name: 'settings', title: 'Settings', key: 'Mod+,', atFoot: true },
] as const satisfies readonly (Omit<View, 'name'> & { readonly name: string })[];

export type ViewName = (typeof TABLE)[number]['name'];

/** A view of the window. */
export interface View {
  readonly name: ViewName;
  readonly title: string;
  readonly key: string;
  /** Older names, which the palette finds as well. */
  readonly also?: readonly string[];
  /** It stands below the line of the rail, with what is about the window itself. */
  readonly atFoot?: true;
}

export const VIEWS: readonly View[] = TABLE;

/** The parts of the overview: its first one is the fields or, of the same records, the schema. */
export const OVERVIEW_PARTS = ['fields', 'schema', 'items', 'patterns'] as const;

export type OverviewPart = (typeof OVERVIEW_PARTS)[number];
