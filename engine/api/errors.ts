import type { CatalogueEntry } from './catalogue.ts';
import { FILE_ERRORS } from './file-errors.ts';

/**
 * The codes of the errors that are meant for the user: of requests that are refused, of inputs that cannot be read, and of commands that fail (with exit
 * code 1; an error without such a code is a fault of Sluicebox itself). The text of an error names the things; what is said here holds for all of a code.
 */
export const ERRORS = {
  'assistants.source': {
    happened: 'A source was to be granted to assistants that is no file, or is not there any more.',
    advice: 'Save its records as a file, and open and grant that.',
  },
  'buffer.full': {
    happened: 'The disk buffer of a filter script or output is nearly full, and full_action is shutdown.',
    advice: 'Check why its output does not accept the messages, or raise max_buffer_size.',
  },
  'checkpoint.unreadable': {
    happened: 'The disk or mount with a checkpoint is missing.',
    advice: 'Start again when it is mounted: without the checkpoint all files would be read again.',
  },
  'config.empty': {
    happened: 'A configuration has nothing to run.',
    advice: 'Give it an input, such as a FileInput, and an output.',
  },
  'config.parameter': {
    happened: 'A parameter of a configuration is unknown, missing or out of its bounds.',
    advice: 'Correct the parameter that the text names.',
  },
  'config.path': {
    happened: 'A file or folder that a configuration names cannot be used.',
    advice: 'Check the path and its permissions.',
  },
  'config.port': {
    happened: 'Two inputs of a configuration listen on one port.',
    advice: 'Give one of them another port.',
  },
  'config.section': {
    happened: 'A section of a configuration has no type or name that can be used.',
    advice: 'Correct what the text names.',
  },
  'config.syntax': {
    happened: 'The text of a configuration is not valid TOML.',
    advice: 'Correct it at the line that the text names.',
  },
  'config.unreadable': {
    happened: 'The file of a configuration cannot be read, or is not UTF-8.',
    advice: 'Check its path and permissions, and save it as UTF-8.',
  },
  'consent.refused': {
    happened: 'Nobody confirmed a request. While a question is open, and for a minute after three refusals, no other question is shown.',
    advice: 'Ask for it again, or start again for what is in the workspace file, and confirm it in the dialog.',
  },
  'decoder.terminated': {
    happened: 'A decoder has ended: while it was tried, or later, and its records pass as they are.',
    advice: 'The text says why; see the ends of scripts.',
  },
  'engine.error': {
    happened: 'The engine failed for an unknown reason.',
    advice: 'Try again. If it happens again, report the text and what you did before.',
  },
  'engine.gone': {
    happened: 'The engine stopped during a request.',
    advice: 'It starts again by itself. Try again, or restart Sluicebox.',
  },
  'export.place': {
    happened: 'Nobody chose the file of an export in a dialog.',
    advice: 'Choose the file with the dialog.',
  },
  'export.source': {
    happened: 'An export would write over a file that is being read.',
    advice: 'Choose another file.',
  },
  ...FILE_ERRORS,
  'fleet.away': {
    happened: 'A cluster of NATS cannot be looked at.',
    advice: 'The text says why: check the addresses, the login, and whether JetStream is on.',
  },
  'filter.matcher': {
    happened: 'The matcher of a filter script is not valid.',
    advice: 'Correct the expression at the place that the text names.',
  },
  'filter.name': {
    happened: 'A filter script has the name of another one.',
    advice: 'Choose another name.',
  },
  'filter.undo': {
    happened: 'A change cannot be taken back, because there were others since.',
    advice: 'Take the later changes back first, in the Scripts view.',
  },
  'limit.reached': {
    happened: 'The window has as many of something as it may have at once.',
    advice: 'Close some of those that the text names.',
  },
  'manager.config': {
    happened: 'The configuration of a filter script for a manager is not valid.',
    advice: 'Correct what the text names.',
  },
  'manager.file': {
    happened: 'A file for the command manager cannot be read, or is not valid.',
    advice: 'Check its path and what it holds.',
  },
  'manager.load': {
    happened: 'A manager did not load a filter script.',
    advice: 'The text says why; correct the script or its configuration, and load it again.',
  },
  'manager.running': {
    happened: 'A manager is to load a filter script of a name that runs already.',
    advice: 'Unload it first.',
  },
  'message.too-large': {
    happened: 'A message is too large to be framed.',
    advice: 'Make it smaller.',
  },
  'nats.credentials': {
    happened: 'The file with an nkey or with credentials for NATS cannot be read.',
    advice: 'Check the path, and that the user of the service may read it.',
  },
  'output.write': {
    happened: 'Standard output cannot be written to.',
    advice: 'See whether its target has room.',
  },
  'path.bad': {
    happened: 'The typed text is not the path of a file, folder or pattern, and not a file of another machine.',
    advice: 'Type an absolute path, one that begins with ~/, or host:/path.',
  },
  'plugin.failed': {
    happened: 'A plugin does not start.',
    advice: 'The text says why.',
  },
  'plugin.gone': {
    happened: 'A filter script or its source is not there any more.',
    advice: 'Nothing; the window shows what is there.',
  },
  'plugin.kind': {
    happened: 'A script is for another kind of plugin.',
    advice: 'Give it to the command or section of its kind.',
  },
  'plugin.load': {
    happened: 'A script does not load.',
    advice: 'The text says where and why; see the ends of scripts.',
  },
  'plugin.meta': {
    happened: 'The meta of a script is not valid.',
    advice: 'Correct what the text names: meta is read without running the script.',
  },
  'plugin.parameter': {
    happened: 'A parameter of a plugin is unknown, missing or out of its bounds.',
    advice: 'Correct the parameter that the text names.',
  },
  'plugin.unknown': {
    happened: 'There is no bundled plugin of this name.',
    advice: 'Check the name, or give the path of a script (with a “/” or its ending).',
  },
  'plugin.unreadable': {
    happened: 'The file of a script is missing or cannot be read.',
    advice: 'Check the path and its permissions.',
  },
  'port.bad-address': {
    happened: 'An address is not valid, or not an address of this machine.',
    advice: 'Use 127.0.0.1 for this machine only, or 0.0.0.0 for all networks.',
  },
  'port.denied': {
    happened: 'Sluicebox may not listen on a port: ports below 1024 need special rights.',
    advice: 'Use a higher port, for example 5514.',
  },
  'port.failed': {
    happened: 'Sluicebox cannot listen on an address.',
    advice: 'The text has the reason that the system gives.',
  },
  'port.in-use': {
    happened: 'A port is in use by another program.',
    advice: 'Stop that program (often a syslog daemon), or listen on another port.',
  },
  'process.failed': {
    happened: 'A command could not be started, or ended with an error.',
    advice: 'Read what it says, and run it in a terminal.',
  },
  'process.not-started': {
    happened: 'The command of an input cannot be started.',
    advice: 'Check its path and its permissions.',
  },
  'profile.unwritten': {
    happened: 'The profile of a run cannot be written.',
    advice: 'Check its folder.',
  },
  'program.missing': {
    happened: 'A program of the system that is needed was not found.',
    advice: 'Install it, as the text says.',
  },
  'query.busy': {
    happened: 'A query was started while another one was running.',
    advice: 'Cancel that one, or wait until it has ended.',
  },
  'query.matcher': {
    happened: 'The expression of the filter bar is not valid.',
    advice: 'Correct it at the place that the text names.',
  },
  'query.regex': {
    happened: 'A regular expression is not valid.',
    advice: 'Correct it; RE2 has no look-around and no references to groups.',
  },
  'query.saved': {
    happened: 'A query cannot be saved under this name in the workspace file.',
    advice: 'Give it another name; the text says why.',
  },
  'query.space': {
    happened: 'The records would take too much space on the disk as tables for queries.',
    advice: 'Close sources that are not needed, or query the files with sluicebox query.',
  },
  'query.tables': {
    happened: 'The records could not be written as tables for queries.',
    advice: 'The text says why; often the disk is full. The records themselves are not touched.',
  },
  'record.unknown': {
    happened: 'There is no record of this number.',
    advice: 'Nothing; it is gone with its source.',
  },
  'request.busy': {
    happened: 'The window waits for too many answers at once.',
    advice: 'Wait a moment. If it happens again, report it.',
  },
  'request.invalid': {
    happened: 'A request of the window has a wrong input.',
    advice: 'Report it: the window and the engine have different versions.',
  },
  'request.sender': {
    happened: 'A page that is not the window’s own has asked the engine.',
    advice: 'Nothing: it was refused.',
  },
  'request.unknown': {
    happened: 'There is no such request.',
    advice: 'Report it: the window and the engine have different versions.',
  },
  'router.busy': {
    happened: 'Plugins that are to be replaced do not finish their messages.',
    advice: 'Wait and try again, or restart the service.',
  },
  'rules.too-many': {
    happened: 'There are too many rules to run them all at once.',
    advice: 'Give a part of their folders.',
  },
  'rules.unreadable': {
    happened: 'A file or folder of rules cannot be read.',
    advice: 'Check its path and its permissions.',
  },
  'sandbox.host': {
    happened: 'The process for sandboxes does not start.',
    advice: 'The text says why. The usual cause is memory, or a limit on processes.',
  },
  'script.exists': {
    happened: 'There is a script of this name already.',
    advice: 'Choose another name.',
  },
  'script.foreign': {
    happened: 'A script is not in the workspace, and nobody chose it.',
    advice: 'Choose it with “Script file…” first.',
  },
  'script.name': {
    happened: 'A name is not valid for a script.',
    advice: 'Give letters, digits and “_”, and .ts or .js at the end.',
  },
  'script.place': {
    happened: 'The window was asked to write a script outside of the workspace’s folder of scripts.',
    advice: 'Use “Save as…”, which asks for a place.',
  },
  'script.unreadable': {
    happened: 'A script cannot be read.',
    advice: 'Check its path and its permissions.',
  },
  'script.unwritten': {
    happened: 'A script cannot be written.',
    advice: 'Check the permissions of its folder, and whether there is room.',
  },
  'search.failed': {
    happened: 'The search of a file was not finished.',
    advice: 'The text says why; search it again.',
  },
  'search.program': {
    happened: 'The program that searches, ripgrep, is missing.',
    advice: 'Run npm ci --include=optional, or install ripgrep.',
  },
  'service.pid-file': {
    happened: 'The pid_file cannot be written.',
    advice: 'Check its folder, or give another one.',
  },
  'service.running': {
    happened: 'A service already uses this base_dir or this pid_file.',
    advice: 'Stop it first, or give this service another base_dir and pid_file.',
  },
  'shell.error': {
    happened: 'The shell around the window failed for an unknown reason.',
    advice: 'Try again. If it happens again, report the text.',
  },
  'source.listen': {
    happened: 'A source cannot listen.',
    advice: 'The text says why: choose another address or port.',
  },
  'source.parts': {
    happened: 'A decoder was chosen for a source whose parts have decoders of their own.',
    advice: 'Change them in the workspace file.',
  },
  'source.section': {
    happened: 'The section of a source in the workspace file is not valid.',
    advice: 'Correct what the text names.',
  },
  'source.stored': {
    happened: 'A decoder was chosen for a table of a store, whose messages are decoded already.',
    advice: 'Open the log itself to decode it by another decoder.',
  },
  'source.unknown': {
    happened: 'There is no source of this number.',
    advice: 'Nothing; it was closed.',
  },
  'split.bad': {
    happened: 'The splitter of an input is not valid.',
    advice: 'Use line, none or regex: with a regular expression that matches something and has at most one group.',
  },
  'store.busy': {
    happened: 'Another process writes to the store.',
    advice: 'Wait until it ends, or end it.',
  },
  'store.changed': {
    happened: 'Files of a store were replaced during a query.',
    advice: 'Run the query again.',
  },
  'store.missing': {
    happened: 'A folder has no store.',
    advice: 'Fill one with `sluicebox import --store DIR FILE…`.',
  },
  'store.unreadable': {
    happened: 'A store cannot be read, or not all of it.',
    advice: 'Check its permissions. If it is damaged, remove the folder and import its sources again.',
  },
  'store.unwritable': {
    happened: 'A store cannot be written.',
    advice: 'Make room or give permission, as the text says, and repeat the command. Stored messages are kept.',
  },
  'target.failed': {
    happened: 'The target of an injection cannot be opened or written to.',
    advice: 'Check the address, and whether something listens there.',
  },
  'tests.unreadable': {
    happened: 'The file with the tests of a script cannot be read, or is not valid.',
    advice: 'Correct what the text names.',
  },
  'tls.file': {
    happened: 'A certificate or key cannot be read, or is not a PEM file.',
    advice: 'Check the path, its permissions and its form.',
  },
  'view.unknown': {
    happened: 'There is no view of this number.',
    advice: 'Nothing; it was closed.',
  },
  'workspace.damaged': {
    happened: 'A file is not a workspace, is damaged, or was saved by a newer Sluicebox.',
    advice: 'Ask for it once more, or have it saved again; the text says what is wrong.',
  },
  'workspace.invalid': {
    happened: 'The workspace file has problems.',
    advice: 'Correct what the text names.',
  },
  'workspace.room': {
    happened: 'The records of a workspace are more than may be unpacked, or than there is room for on the disk.',
    advice: 'Make room, or have the workspace saved without its records.',
  },
  'workspace.too-large': {
    happened: 'What is open cannot be saved as a workspace, as it could not be opened again.',
    advice: 'Shorten or remove what the text names, and save once more.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type ErrorCode = keyof typeof ERRORS;

export const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERRORS, code);
