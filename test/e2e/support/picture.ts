import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from './app.ts';

/** Writes a picture of the window into the folder `SLUICEBOX_PICTURES`, if there is one. */
export async function pictureOf(app: App, name: string): Promise<void> {
  const pictures = process.env['SLUICEBOX_PICTURES'];
  if (pictures === undefined) return;
  // Of the window itself: an enlarged page does not fit into the pictures of the page.
  const png = await app.electron.evaluate(async ({ BrowserWindow }) => {
    const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    return image?.toPNG().toString('base64') ?? '';
  });
  writeFileSync(join(pictures, `${name.toLowerCase()}.png`), Buffer.from(png, 'base64'));
}
