/**
 * Counts changes of the colours. Code that draws on a canvas reads the version, and so draws again when the settings or the system change
 * the theme.
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
