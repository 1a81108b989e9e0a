export type Theme = 'system' | 'light' | 'dark';
export type Contrast = 'system' | 'normal' | 'more';

/** Sets the theme on the page's root, where the tokens read it; settings that follow the system are removed. */
export function applyTheme(root: HTMLElement, theme: Theme, contrast: Contrast, systemWantsMore: boolean): void {
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  const more = contrast === 'more' || (contrast === 'system' && systemWantsMore);
  if (more) root.dataset['contrast'] = 'more';
  else delete root.dataset['contrast'];
}

/** Tokens of texts, lines and grounds. */
const SYSTEM_COLORS = /^(?:text|line|bg)/;

/**
 * Reads the current colours of tokens, as the browser writes them: a canvas cannot read tokens, and the browser resolves light-dark() in
 * a token only where it is used.
 */
export function readColors<K extends string>(host: HTMLElement, names: readonly K[]): { readonly [N in K]: string } {
  const probe = document.createElement('span');
  host.append(probe);
  const colors = {} as { [N in K]: string };
  for (const name of names) {
    // In a contrast theme of the system only what tells things apart keeps its colour.
    probe.style.forcedColorAdjust = SYSTEM_COLORS.test(name) ? 'auto' : 'none';
    probe.style.color = matchMedia('(forced-colors: active)').matches && name.startsWith('bg') ? 'Canvas' : `var(--${name})`;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colors;
}

/** A computed colour (`rgb(1, 2, 3)`) made transparent; another form stays as it is. */
export function withAlpha(color: string, alpha: number): string {
  const found = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color);
  return found === null ? color : `rgba(${found[1]}, ${found[2]}, ${found[3]}, ${alpha})`;
}
