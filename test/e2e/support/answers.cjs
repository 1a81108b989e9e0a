// Loaded by Electron before the application: puts an answer in the place of the system's dialogs, which nobody could click here. The application may ask before a
// test can reach its process.
'use strict';
const process = require('node:process');
const { dialog } = require('electron');

/** @type {{ answer?: string, questions?: string[] }} */
const asked = globalThis;
asked.answer = process.env.SLUICEBOX_TEST_ANSWER;
asked.questions = [];

dialog.showMessageBox = (...given) => {
  const { message, detail = '', cancelId = 0 } = given.at(-1);
  asked.questions?.push(`${message}\n${detail}`);
  return Promise.resolve({ response: asked.answer === 'confirm' ? 1 : cancelId, checkboxChecked: false });
};
