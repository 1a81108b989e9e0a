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

/**
 * Reads the current colours of tokens, as the browser writes them: a canvas cannot read tokens, and the browser resolves light-dark() in
 * a token only where it is used.
 */
export function readColors<K extends string>(host: HTMLElement, names: readonly K[]): { readonly [N in K]: string } {
  const probe = document.createElement('span');
  host.append(probe);
  const colors = {} as { [N in K]: string };
  const isForced = matchMedia('(forced-colors: active)').matches;
  probe.style.forcedColorAdjust = 'none';
  for (const name of names) {
    probe.style.color = (isForced ? systemColor(name) : null) ?? `var(--${name})`;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colors;
}

/** The colour of a token in a contrast theme of the system; null: its own, as it tells things apart. */
function systemColor(name: string): string | null {
  if (name.startsWith('bg')) return 'Canvas';
  return /^(?:text|line)/.test(name) ? 'CanvasText' : null;
}

/** A computed colour (`rgb(1, 2, 3)`) made transparent; another form stays as it is. */
export function withAlpha(color: string, alpha: number): string {
  const found = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color);
  return found === null ? color : `rgba(${found[1]}, ${found[2]}, ${found[3]}, ${alpha})`;
}
