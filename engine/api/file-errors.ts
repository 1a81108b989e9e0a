import type { CatalogueEntry } from './catalogue.ts';

/** The codes of the errors of files that cannot be read; see `ERRORS`. */
export const FILE_ERRORS = {
  'file.archive': {
    happened: 'An archive is read where one file is asked for.',
    advice: 'Name a file in it, as the text says.',
  },
  'file.binary': {
    happened: 'A file is not a text.',
    advice: 'Unpack or convert it first.',
  },
  'file.damaged': {
    happened: 'A compressed file is damaged or ends too early.',
    advice: 'Fetch the file again. What could be unpacked was read.',
  },
  'file.denied': {
    happened: 'A file may not be read by this user.',
    advice: 'Give read permission, or join the group that owns it (often adm).',
  },
  'file.directory': {
    happened: 'A path names a folder.',
    advice: 'Open the files in it, for example with FOLDER/*.log.',
  },
  'file.link-loop': {
    happened: 'A symbolic link leads back to itself.',
    advice: 'Correct the link.',
  },
  'file.missing': {
    happened: 'A file does not exist.',
    advice: 'Check the name and the folder.',
  },
  'file.special': {
    happened: 'A path names a pipe, a socket or a device.',
    advice: 'Give it to “sluicebox decode”, or pipe its data into it.',
  },
  'file.too-large': {
    happened: 'A packed file or an archive holds more than is unpacked here.',
    advice: 'If that is meant, unpack it first. What came before was read.',
  },
  'file.too-many-open': {
    happened: 'A file cannot be opened, because too many are open.',
    advice: 'Open fewer, or raise the limit (ulimit -n).',
  },
  'file.ungranted': {
    happened: 'The window asks for a file that nobody chose.',
    advice: 'Open it with the dialog, or drop it on the window.',
  },
  'file.unreadable': {
    happened: 'A file cannot be read.',
    advice: 'The text has the reason that the system gives. Files that are followed are tried again.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
