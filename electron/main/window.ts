import { app, BrowserWindow, nativeTheme, screen, type Rectangle } from 'electron';
import { join } from 'node:path';
import type { AllEvents } from '../../engine/api/types.ts';
import { askToReload, tellItIsHidden } from './ask-user.ts';
import { Background } from './background.ts';
import { CrashCount } from './crash-count.ts';
import { showTray, trayIsSeen } from './desktop.ts';
import { StateFile } from './state-file.ts';
import { dataFolder } from './paths.ts';
import { APP_ORIGIN } from './protocol.ts';
import { themeOf, type Theme } from './theme.ts';
import { TypedText } from './typed-text.ts';

interface WindowState extends Partial<Rectangle> {
  maximized: boolean;
  theme: Theme;
  /** Closing the window keeps Sluicebox running. */
  background: boolean;
  /** It was told how the window comes back without an icon. */
  toldHidden: boolean;
}

const PAGE = `${APP_ORIGIN}/index.html`;
const MINIMUM = { width: 900, height: 600 };
/** A page that crashes is loaded again so often within `CRASH_WINDOW_MS` before someone is asked. */
const RELOAD_LIMIT = 3;
const CRASH_WINDOW_MS = 60_000;

/** The window, of which there is one: creates and shows it, remembers its bounds, and sends it events. */
export class MainWindow {
  #window: BrowserWindow | null = null;
  #onPage: () => void = () => undefined;
  readonly #shown = Promise.withResolvers<void>();
  readonly #state = new StateFile<WindowState>(join(dataFolder(), 'window.json'), {
    width: 1280,
    height: 800,
    maximized: false,
    theme: 'system',
    background: false,
    toldHidden: false,
  });
  readonly #background = new Background({
    wanted: () => this.#state.value.background,
    showTray,
    show: () => this.focus(),
    quit: () => app.quit(),
    wasTold: () => this.#state.value.toldHidden,
    trayIsSeen,
    tell: () => this.#tellItIsHidden(),
  });

  readonly #crashes = new CrashCount(CRASH_WINDOW_MS);
  /** The text that a person types, by the keys that no page can press. */
  readonly typed = new TypedText();

  constructor() {
    app.on('before-quit', () => this.#background.quitting());
  }

  /** Resolves when the first frame is on the screen. */
  async show(): Promise<void> {
    const { maximized, theme, background: _background, toldHidden: _told, ...bounds } = this.#state.value;
    nativeTheme.themeSource = themeOf(theme);
    const window = new BrowserWindow({
      ...onSomeDisplay(bounds),
      minWidth: MINIMUM.width,
      minHeight: MINIMUM.height,
      show: false,
      title: 'Sluicebox',
      icon: join(app.getAppPath(), 'resources', 'icons', 'icon.png'),
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
      autoHideMenuBar: true,
      webPreferences: {
        preload: join(app.getAppPath(), 'out', 'preload', 'index.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        devTools: !app.isPackaged,
        spellcheck: false,
      },
    });
    this.#window = window;
    if (maximized) window.maximize();
    window.on('close', (event) => {
      this.#remember(window);
      if (!this.#background.closing()) return;
      event.preventDefault();
      void this.#background.hide(() => window.hide());
    });
    window.on('closed', () => (this.#window = null));
    window.webContents.on('before-input-event', (_event, input) => this.typed.press(input));
    window.webContents.on('did-navigate', () => this.#onPage());
    window.webContents.on('render-process-gone', (_event, { reason }) => void this.#pageGone(window, reason));
    // Electron asks nobody about a way to about:blank.
    window.webContents.on('did-navigate', (_event, url) => {
      if (url !== PAGE && !url.startsWith(`${PAGE}#`)) void window.loadURL(PAGE);
    });
    const painted = new Promise<void>((done) => window.once('ready-to-show', done));
    await window.loadURL(PAGE);
    await painted;
    window.show();
    this.#shown.resolve();
  }

  /** Resolves when it was shown for the first time. */
  get shown(): Promise<void> {
    return this.#shown.promise;
  }

  /** Calls back for every page that is loaded into the window, whose state begins anew. */
  onPage(listener: () => void): void {
    this.#onPage = listener;
  }

  focus(): void {
    if (this.#window === null) return void this.show();
    if (this.#window.isMinimized()) this.#window.restore();
    if (!this.#window.isVisible()) this.#window.show();
    this.#window.focus();
  }

  /** The page says that a question waits: it may lie behind the windows of other programs. */
  async whileAsking<T>(message: string, ask: () => Promise<T>): Promise<T> {
    this.focus();
    this.send('asking', { message });
    try {
      return await ask();
    } finally {
      this.send('asking', { message: null });
    }
  }

  get hasFocus(): boolean {
    const window = this.#window;
    // X11 may go on to say that a window has the focus that was hidden right after it had come.
    return window !== null && window.isVisible() && !window.isMinimized() && window.isFocused();
  }

  /** Says whether closing the window keeps Sluicebox running. */
  setBackground(background: boolean): void {
    this.#state.save({ ...this.#state.value, background });
  }

  /** The live window, for dialogs and screenshots; null before it is made and after it closed. */
  get browserWindow(): BrowserWindow | null {
    return this.#window;
  }

  send<N extends keyof AllEvents>(name: N, data: AllEvents[N]): void {
    if (this.#window !== null && !this.#window.isDestroyed()) this.#window.webContents.send('event', name, data);
  }

  /** Number of the process that shows the page; null: there is none. */
  get pageProcess(): number | null {
    return this.#window === null || this.#window.isDestroyed() ? null : this.#window.webContents.getOSProcessId();
  }

  /** Has the page collect its garbage. */
  collectGarbage(): void {
    if (this.#window !== null && !this.#window.isDestroyed()) this.#window.webContents.send('collect');
  }

  setTheme(theme: Theme): void {
    nativeTheme.themeSource = theme;
    this.#state.save({ ...this.#state.value, theme });
  }

  /** Loads a page that has crashed again; one that crashes again and again only when someone says so. */
  async #pageGone(window: BrowserWindow, reason: string): Promise<void> {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const crashes = this.#crashes.add();
    if (
      crashes > RELOAD_LIMIT &&
      !(await askToReload(window, `The page of the window stopped ${crashes} times in a minute (${reason}).`))
    ) {
      return app.quit();
    }
    // A page that is loaded while Electron says that the last one has gone takes the whole application with it.
    await new Promise((done) => setImmediate(done));
    if (!window.isDestroyed()) window.webContents.reload();
  }

  async #tellItIsHidden(): Promise<boolean> {
    const window = this.#window;
    if (window === null) return true;
    const goesOn = await tellItIsHidden(window);
    this.#state.save({ ...this.#state.value, toldHidden: true });
    return goesOn;
  }

  #remember(window: BrowserWindow): void {
    this.#state.save({ ...this.#state.value, ...window.getNormalBounds(), maximized: window.isMaximized() });
  }
}

/** The saved bounds if their title bar can be reached on a current display; else the size alone. */
function onSomeDisplay(bounds: Partial<Rectangle>): Partial<Rectangle> {
  const { x, y, width = 1280, height = 800 } = bounds;
  if (x === undefined || y === undefined) return { width, height };
  const reachable = screen.getAllDisplays().some(({ workArea }) => {
    const overlap = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x);
    return overlap > 100 && y >= workArea.y - 10 && y < workArea.y + workArea.height - 50;
  });
  return reachable ? { x, y, width, height } : { width, height };
}
