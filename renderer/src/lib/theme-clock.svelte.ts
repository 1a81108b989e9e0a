/**
 * Counts changes of the colours. What draws on a canvas reads the version, and so draws again when the theme changes: by the settings, or by
 * the system.
 */
class ThemeClock {
  version = $state(0);

  constructor() {
    const tick = (): void => void this.version++;
    new MutationObserver(tick).observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast'] });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tick);
  }
}

export const themeClock = new ThemeClock();
