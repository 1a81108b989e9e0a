// Loaded by Electron before the application: lets its page crash, each time when it shows what is open, and says on standard output what happens. What drives
// pages elsewhere does not outlive a crash of them.
'use strict';
const process = require('node:process');
const { setTimeout: delay } = require('node:timers/promises');
const { app, dialog } = require('electron');

const CRASHES = Number(process.env.SLUICEBOX_TEST_CRASHES);
const SHOWN = 'document.body.innerText.includes("10,000 records")';

const say = (what) => process.stdout.write(`${what}\n`);

dialog.showMessageBox = async (_window, { message, buttons }) => {
  say(message);
  return { response: buttons.indexOf(process.env.SLUICEBOX_TEST_BUTTON), checkboxChecked: false };
};

app.on('browser-window-created', async (_event, { webContents: page }) => {
  for (let crashes = 0; ; crashes++) {
    while (page.isCrashed() || page.isLoading() || !(await page.executeJavaScript(SHOWN).catch(() => false))) await delay(50);
    say('shown');
    if (crashes === CRASHES) return app.quit();
    page.forcefullyCrashRenderer();
    while (!page.isCrashed() && !page.isLoading()) await delay(1);
  }
});
app.on('will-quit', () => say('quit'));
