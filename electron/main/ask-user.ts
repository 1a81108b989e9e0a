import { dialog, type BrowserWindow } from 'electron';
import type { Question } from './questions.ts';
import type { MainWindow } from './window.ts';

/** Asks in a dialog of the system, which no page can answer. Escape and the close button refuse, as the preset button does unless it only reads. The page says meanwhile that a question waits. */
export async function askUser(window: MainWindow, question: Question): Promise<boolean> {
  await window.shown;
  return window.whileAsking(question.message, () => ask(window, question));
}

async function ask(window: MainWindow, { message, pages, confirm, isPreset }: Question): Promise<boolean> {
  for (const [i, detail] of pages.entries()) {
    const parent = window.browserWindow;
    if (parent === null) return false;
    const { response } = await dialog.showMessageBox(parent, {
      type: 'question',
      title: 'Sluicebox',
      message,
      detail,
      buttons: ['Cancel', i === pages.length - 1 ? confirm : 'Show more'],
      defaultId: isPreset === true ? 1 : 0,
      cancelId: 0,
      noLink: true,
    });
    if (response !== 1) return false;
  }
  return true;
}

/** Asks whether the page of a window is to be loaded again; Sluicebox ends when it is not. @param message why it is asked */
export async function askToReload(window: BrowserWindow, message: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    title: 'Sluicebox',
    message,
    detail: 'What is open is still read. If loading the page again does not help, quit and start Sluicebox again.',
    buttons: ['Quit', 'Load again'],
    defaultId: 1,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}

/** Tells that the window is about to be hidden where no icon may bring it back. @returns whether it is to be hidden; otherwise Sluicebox ends */
export async function tellItIsHidden(window: BrowserWindow): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'info',
    title: 'Sluicebox',
    message: 'Sluicebox keeps watching without its window.',
    detail:
      'This desktop seems to have no notification area for its icon: start Sluicebox again to bring the window back. The settings say what closing the window does.',
    buttons: ['Keep watching', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 0;
}
