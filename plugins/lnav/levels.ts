/** Severities of lnav's levels. */
export const SEVERITIES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    fatal: 2,
    critical: 2,
    error: 3,
    warning: 4,
    notice: 5,
    info: 6,
    stats: 6,
    valid_text: 6,
    debug: 7,
    debug2: 7,
    debug3: 7,
    debug4: 7,
    debug5: 7,
    trace: 7,
  }),
);
