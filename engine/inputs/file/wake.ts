/** Lets one loop sleep until something happens. Events while it is awake are not lost. */
export class Wake {
  #pending = false;
  #resolve: (() => void) | null = null;

  /** Ends the current or the next `sleep`. */
  notify(): void {
    this.#pending = true;
    this.#resolve?.();
  }

  /** Waits for `notify`, at most `ms` milliseconds (Infinity: without a limit). */
  async sleep(ms: number): Promise<void> {
    if (!this.#pending) {
      await new Promise<void>((resolve) => {
        const timer = ms === Infinity ? undefined : setTimeout(resolve, Math.max(0, ms));
        this.#resolve = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#resolve = null;
    this.#pending = false;
  }
}
