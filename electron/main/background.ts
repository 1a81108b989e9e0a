/** An icon in the notification area. */
export interface TrayIcon {
  destroy(): void;
}

interface BackgroundOptions {
  /** Whether closing the window keeps Sluicebox running. */
  readonly wanted: () => boolean;
  /** Puts the icon there; throws where there is no place for it. */
  readonly showTray: (actions: { readonly show: () => void; readonly quit: () => void }) => TrayIcon;
  /** Brings the window back. */
  readonly show: () => void;
  readonly quit: () => void;
}

/** Decides what closing the window does: it ends Sluicebox, or hides the window behind an icon in the notification area. */
export class Background {
  readonly #options: BackgroundOptions;
  #tray: TrayIcon | null = null;
  #isQuitting = false;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Sluicebox ends: windows close from now on. */
  quitting(): void {
    this.#isQuitting = true;
    this.shown();
  }

  /** @returns whether the window is to be hidden instead of closed */
  closing(): boolean {
    const { wanted, showTray, show, quit } = this.#options;
    if (this.#isQuitting || !wanted()) return false;
    try {
      this.#tray ??= showTray({ show, quit });
    } catch {
      // Nobody could bring the window back.
      return false;
    }
    return true;
  }

  /** The window is there again. */
  shown(): void {
    this.#tray?.destroy();
    this.#tray = null;
  }
}
