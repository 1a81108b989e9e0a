export interface PaneWish {
  readonly size: number;
  readonly open: boolean;
}

export interface PaneSizes {
  readonly sources: number;
  readonly inspector: number;
}

export const SOURCES_BOUNDS = { min: 184, max: 480 } as const;
export const INSPECTOR_BOUNDS = { min: 240, max: 720 } as const;
export const BELOW_BOUNDS = { min: 120, max: 600 } as const;
const MAIN_MIN = 400;
/** With less than this, the main view is of no use: then side panes are not shown. */
const MAIN_LEAST = 300;

/** Pixels of height that stay for the records above an inspector. */
const ABOVE_LEAST = 200;

/** With less than this beside it, an inspector that shows nothing is not shown. */
const MAIN_ROOMY = 600;

/** Whether the main view would have little room beside both panes. */
export function isCrowded(width: number, sources: PaneWish, inspector: PaneWish): boolean {
  const sizes = paneSizes(width, sources, { ...inspector, open: true });
  return width - sizes.sources - sizes.inspector < MAIN_ROOMY;
}

/**
 * The side panes' widths in a window of `width` pixels (without the rail): as wished, but the main view keeps its least width; the
 * inspector gives way first. A closed pane has 0, and one for which a narrow or enlarged window has no room.
 */
export function paneSizes(width: number, sources: PaneWish, inspector: PaneWish): PaneSizes {
  const wishedSources = sources.open ? clamp(sources.size, SOURCES_BOUNDS) : 0;
  const wishedInspector = inspector.open ? clamp(inspector.size, INSPECTOR_BOUNDS) : 0;
  const excess = wishedSources + wishedInspector + MAIN_MIN - width;
  if (excess <= 0) return { sources: wishedSources, inspector: wishedInspector };
  const fromInspector = Math.min(excess, wishedInspector - (inspector.open ? INSPECTOR_BOUNDS.min : 0));
  const fromSources = Math.min(excess - fromInspector, wishedSources - (sources.open ? SOURCES_BOUNDS.min : 0));
  const sizes = { sources: wishedSources - fromSources, inspector: wishedInspector - fromInspector };
  if (width - sizes.sources - sizes.inspector >= MAIN_LEAST) return sizes;
  if (inspector.open) return paneSizes(width, sources, { ...inspector, open: false });
  return { sources: 0, inspector: 0 };
}

/** The height of an inspector below the records in a window of `height` pixels; 0: there is no room. */
export function belowHeight(height: number, wished: number): number {
  const size = Math.min(clamp(wished, BELOW_BOUNDS), height - ABOVE_LEAST);
  return size < BELOW_BOUNDS.min ? 0 : size;
}

function clamp(size: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.min(max, Math.max(min, size));
}
