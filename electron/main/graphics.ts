import { app } from 'electron';
import { hasGpu } from './gpu.ts';

/** Variable by which GTK is told to load no OpenGL. */
const GTK_OPENGL = 'GDK_GL';

/**
 * Loads no drivers of OpenGL that nothing needs (Linux). Without a GPU it would be Mesa's, with its compiler, to draw in software what Chromium draws by
 * itself. Must be called before the application is ready.
 */
export function setUpGraphics(): void {
  if (process.platform !== 'linux') return;
  withoutOpenglInShell();
  if (hasGpu()) return;
  app.disableHardwareAcceleration();
  // Chromium ends with the third crash of the process that draws, once there is no simpler way to draw left.
  app.commandLine.appendSwitch('disable-gpu-process-crash-limit');
}

/** GTK, which shows only dialogs here, looks for OpenGL when it starts, and keeps the driver. */
function withoutOpenglInShell(): void {
  if (process.env[GTK_OPENGL] !== undefined) return;
  process.env[GTK_OPENGL] = 'disable';
  // Programs that are started later are to find the environment as it was.
  void app.whenReady().then(() => delete process.env[GTK_OPENGL]);
}
