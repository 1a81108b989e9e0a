interface BackgroundOptions {
  /** Whether closing the window keeps Sluicebox running. */
  readonly wanted: () => boolean;
  /** Puts an icon into the notification area and returns it; throws where the system refuses it. */
  readonly showTray: (actions: { readonly show: () => void; readonly quit: () => void }) => object;
  /** Brings the window back. */
  readonly show: () => void;
  readonly quit: () => void;
  /** Whether someone has been told how the window comes back without an icon. */
  readonly wasTold: () => boolean;
  readonly trayIsSeen: () => Promise<boolean>;
  /** Tells it; false: then Sluicebox is to end. */
  readonly tell: () => Promise<boolean>;
}

/** Decides what closing the window does: it ends Sluicebox, or hides the window behind an icon in the notification area. */
export class Background {
  readonly #options: BackgroundOptions;
  /** Stays for as long as Sluicebox runs: desktops of Linux go on to show an icon that was taken away, and nothing answers it. */
  #tray: object | null = null;
  #isQuitting = false;
  #isTelling = false;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Sluicebox ends: windows close from now on. */
  quitting(): void {
    this.#isQuitting = true;
  }

  /** @returns whether the window is to be hidden instead of closed */
  closing(): boolean {
    const { wanted, showTray, show, quit } = this.#options;
    if (this.#isQuitting || !wanted()) return false;
    try {
      if (this.#tray === null) this.#tray = showTray({ show, quit });
    } catch {
      // Nobody could bring the window back.
      return false;
    }
    return true;
  }

  /** Hides the window, after someone was told, once, how it comes back where no icon may be seen. @param hide hides it */
  async hide(hide: () => void): Promise<void> {
    const { wasTold, trayIsSeen, tell, quit } = this.#options;
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      if (wasTold() || (await trayIsSeen())) return hide();
      if (await tell()) hide();
      else quit();
    } finally {
      this.#isTelling = false;
    }
  }
}
