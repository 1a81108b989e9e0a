import type { CatalogueEntry } from './catalogue.ts';
import type { ErrorCode } from './errors.ts';

/**
 * The codes of the notices that are no errors: what happens while inputs are read, and while scripts, outputs and the window work. Work goes on after a
 * notice, unless its words say otherwise. The text of a notice names the things; what is said here holds for all of a code.
 */
export const NOTICES = {
  alert: {
    happened: 'A filter script has sent an alert, or rules have hits.',
    advice: 'The filter script or the rule says what its alerts mean.',
  },
  'assistants.file': {
    happened: 'The file that says what assistants may ask about cannot be read or written.',
    advice: 'Look in Settings, Assistants at what is granted now. Check the disk and the permissions.',
  },
  'batch.damaged': {
    happened: 'A message of a NATS stream is not a batch, or is damaged. It is discarded.',
    advice: 'Let nobody but a NatsOutput publish to the subject that the text names.',
  },
  'batch.newer': {
    happened: 'A batch of a NATS stream has a format that only a newer Sluicebox can read. It is left in the stream.',
    advice: 'Update Sluicebox: the batch is offered again.',
  },
  'buffer.problem': {
    happened: 'The disk buffer of a filter script or output cannot be read or written, has lost messages, or holds some of an earlier run.',
    advice: 'Check the disk and the permissions of its folder. The text says what becomes of the messages.',
  },
  'checkpoint.unusable': {
    happened: 'A checkpoint is damaged or cannot be read. Its files are read from their beginning again.',
    advice: 'Expect records that were read before to come twice. The text says where the old checkpoint is.',
  },
  'checkpoint.unwritable': {
    happened: 'A checkpoint cannot be written. After a restart, records may be read twice.',
    advice: 'Give the folder write permission, or free some space.',
  },
  'checkpoint.written': {
    happened: 'A checkpoint that could not be written is written again.',
    advice: '',
  },
  'connection.broken': {
    happened: 'A connection or request of a sender broke off.',
    advice: 'If it happens often, look into the log of the sender and at the network.',
  },
  'connection.refused': {
    happened: 'A connection was refused: too many are open, or the sender did not prove who it is.',
    advice: 'Close connections that nobody needs, or check the certificate, the key or the login of the sender.',
  },
  'datagrams.dropped': {
    happened: 'Datagrams were lost, because more came than could be taken.',
    advice: 'Raise the limit that the text names, or send over TCP.',
  },
  'decode.failed': {
    happened: 'A record does not have the form that its decoder reads.',
    advice: 'Choose another decoder if many records fail. They can be kept with send_decode_failures.',
  },
  'decode.left': {
    happened: 'Records passed undecoded, because the decoder of their input had ended.',
    advice: 'The notice about the end of the decoder says why.',
  },
  'decoder.failed': {
    happened: 'The decoder of a source did not start, so its records are shown raw.',
    advice: 'Correct what the text names, or choose another decoder.',
  },
  'decoder.recognised': {
    happened: 'The decoder for a file was found.',
    advice: '',
  },
  'decoder.untried': {
    happened: 'A decoder could not be used or tried while the form of a log was looked for. The other decoders were tried.',
    advice: 'Correct its script, as the text says.',
  },
  'engine.failed': {
    happened: 'The engine does not start, or stopped too often and is not started again.',
    advice: 'Restart Sluicebox. If it happens again, report the text.',
  },
  'engine.restarting': {
    happened: 'The engine stopped and is started again. Files are read again; what live sources had received is read back from disk.',
    advice: '',
  },
  'export.failed': {
    happened: 'The file of an export or of a workspace could not be written.',
    advice: 'Make room or give permission, as the text says, and begin again.',
  },
  'file.data-missing': {
    happened:
      'A file was replaced or emptied while it was not watched, or rotated more often between two looks than older files are kept, so records may be missing.',
    advice: 'Let rotation keep the old file beside the new one, where it can still be read.',
  },
  'file.empty': {
    happened: 'A file is empty.',
    advice: 'Check whether it is the right one, and whether its program writes at all.',
  },
  'file.encoding': {
    happened: 'A file or stream has lines that are not UTF-8. They are read as windows-1252.',
    advice: 'Convert the file (iconv) if characters look wrong.',
  },
  'file.lost': {
    happened: 'A file was removed, or emptied without a copy, before it was read to its end. The text says how many bytes are lost.',
    advice: 'Keep more rotated files, or find what takes their records so slowly: a target that is away, or a script.',
  },
  'file.not-held': {
    happened:
      'More files wait to be read than an input holds open, which is half of what the system allows. The others are opened in their turn.',
    advice: 'Raise the limit on open files (ulimit -n, LimitNOFILE) if files are removed soon, or read fewer files.',
  },
  'file.read-once': {
    happened: 'A file says how the system is now, and is not appended to. It is read once.',
    advice: 'Let a FilePollingInput read it again and again.',
  },
  'file.readable': {
    happened: 'A file that could not be read can be read again.',
    advice: '',
  },
  'file.truncated': {
    happened: 'A file was cut short or written anew. It is read from its beginning.',
    advice: '',
  },
  'file.vanished': {
    happened: 'A file was deleted or moved away. What it held is read to its end, and a new file of its name is read when it appears.',
    advice: '',
  },
  'filter.failed': {
    happened: 'A filter script has refused messages.',
    advice: 'The text has the reason that its script gives.',
  },
  'filter.state': {
    happened: 'A filter script was changed, and the state that it had does not fit. It begins anew.',
    advice: '',
  },
  'folder.left-out': {
    happened: 'Some files of a folder or an archive were not opened: the text has their names and the reasons.',
    advice: 'Open those that you need by their names.',
  },
  'folder.no-logs': {
    happened: 'There is no log in a folder or an archive, nor below it.',
    advice: 'Check the path. A file that is left out can be opened by its name.',
  },
  'glob.empty': {
    happened: 'No file fits a pattern.',
    advice: 'Check the folder and the pattern. An input that follows its files reads new ones as they appear.',
  },
  'http.failed': {
    happened: 'A request that an HttpInput makes for a script has failed. It is made again at the next interval.',
    advice: 'Check the address, and whether the server answers.',
  },
  'input.failed': {
    happened: 'An input has failed: its source cannot be read any more, its records are not taken, or its script reports a failure.',
    advice: 'The text says why. After most failures the input goes on; otherwise correct the cause and start it again.',
  },
  'input.left': {
    happened: 'The service stopped before all that an input had read was delivered.',
    advice: 'Nothing for files: the next start reads on from there. What came over the network may have to be sent again.',
  },
  'input.restarted': {
    happened: 'An input has failed, and is started again after a while.',
    advice: 'If it happens often, correct the cause that the text names.',
  },
  'lookup.read': {
    happened: 'The list or the database of a lookup has changed, and was read again.',
    advice: '',
  },
  'lookup.unusable': {
    happened: 'The list or the database of a lookup has changed, and cannot be used. The lookup goes on with what it had.',
    advice: 'Correct the file as the text says; it is read again when it changes.',
  },
  manager: {
    happened: 'A manager has loaded or unloaded a filter script, or has refused to.',
    advice: 'The text says why one was refused.',
  },
  'marks.file': {
    happened: 'A file with marks, highlighters, sets of filters, graphs or the choice of rules cannot be read or written.',
    advice: 'Check the disk and the permissions. The text says where a file is that was put aside.',
  },
  'output.failed': {
    happened:
      'An output or its encoder refused messages or could not write them, so they are lost; or it could not be opened again or closed.',
    advice: 'Correct the cause that the text names.',
  },
  'output.left': {
    happened: 'An output without a buffer had not written all messages when the service stopped.',
    advice: 'Those of files are read again at the next start. To keep others, too, set use_buffering.',
  },
  'output.problem': {
    happened: 'The target of an output cannot be reached or has refused messages, or is delivered to again.',
    advice: 'Check the target. The text says whether the messages are tried again or lost.',
  },
  'plugin.dropped': {
    happened: 'Messages that waited for a filter script or output were dropped, because it had ended.',
    advice: 'The notice about its end says why. With use_buffering they are kept for the next start.',
  },
  'plugin.restarted': {
    happened: 'The script of an input has ended, and is started again after a while.',
    advice: 'If it happens often, correct the cause that the text names.',
  },
  'plugin.stalled': {
    happened: 'A plugin is so slow that messages wait for it alone, or it holds nothing up any more.',
    advice: 'Make its script faster, or send it less.',
  },
  'plugin.terminated': {
    happened: 'A plugin has ended. Everything else goes on.',
    advice: 'The text says why; see the ends of scripts.',
  },
  'port.open': {
    happened: 'A port that could not be listened on is open now.',
    advice: '',
  },
  'process.timeout': {
    happened: 'A command took longer than its timeout, and was killed.',
    advice: 'Make the command faster, or raise the timeout.',
  },
  'received.damaged': {
    happened: 'What a source had received before the engine crashed could not all be read back.',
    advice: 'Look at the disk of the data folder, and at the log of the system.',
  },
  'received.unkept': {
    happened:
      'What live sources receive cannot be kept on disk, or can be kept again. Records are shown all the same; a crash of the engine would lose them.',
    advice: 'Make room on the disk, or give permission, as the text says.',
  },
  'record.encoding': {
    happened: 'An input gets records that are not UTF-8. They are read as windows-1252.',
    advice: 'Set the senders to UTF-8 if characters look wrong.',
  },
  'record.rejected': {
    happened: 'Some records of a message or request were not taken; the others were.',
    advice: 'Correct the sender, as the text says.',
  },
  'record.truncated': {
    happened: 'A record or answer is longer than its input takes. Only its beginning is read.',
    advice: 'Check how records end there, or raise the limit of the input.',
  },
  'records.gone': {
    happened: 'Records were shown before the engine crashed, and are not there any more: their file was removed or replaced meanwhile.',
    advice: 'Open the file to which they were moved, such as the one that rotation made.',
  },
  'records.lost': {
    happened: 'An input stopped before it had taken all that its senders had sent.',
    advice: 'Have the senders ask for acknowledgements or send again, if they can.',
  },
  'request.failed': {
    happened: 'Something that was asked for in the window could not be done.',
    advice: 'The text says why.',
  },
  'request.refused': {
    happened: 'A request to an input was refused.',
    advice: 'Check the login and the form of what the sender sends; the text has the reason.',
  },
  'request.too-large': {
    happened: 'A request to an input was refused, because its body is too large.',
    advice: 'Send less at once, or raise the limit of the input.',
  },
  rules: {
    happened: 'Rules were loaded, a rule is not known, or a correlation has forgotten its oldest groups.',
    advice: 'Correct or remove the rule that the text names; `sluicebox rules check` names all of them.',
  },
  'sandbox.host-ended': {
    happened: 'A process that scripts run in has ended. Another one takes its place.',
    advice: 'The text has its last output. Most likely a script used too much memory at once.',
  },
  'script.unusable': {
    happened: 'A decoder among your own scripts cannot be used.',
    advice: 'Correct what the text names; the script is read again when it has changed.',
  },
  'shell.notify': {
    happened: 'The notifications of this desktop do not answer, so alerts are shown only in the window.',
    advice: 'Check that a notification service runs.',
  },
  'source.away': {
    happened: 'The connection of an input to its server is lost or cannot be made. It is tried again.',
    advice: 'Check the address, the login, and whether the server runs.',
  },
  'source.back': {
    happened: 'An input is connected to its server again.',
    advice: '',
  },
  'source.denied': {
    happened: 'The server refuses something that an input needs.',
    advice: 'Give its login the permission that the text names.',
  },
  'source.ended': {
    happened: 'The command or input of a source has ended with an error.',
    advice: 'Read what the text says, correct it, and open the source again.',
  },
  'source.failed': {
    happened: 'A source could not be opened, for a reason that has no code of its own.',
    advice: 'Correct what the text names, and open it again.',
  },
  'stat.bad': {
    happened: 'A StatsdInput got lines that are not stats.',
    advice: 'Correct the program that sends them; the text has one of them.',
  },
  'stat.too-many': {
    happened: 'A StatsdInput gets stats of more names than it counts. Those of further names are dropped.',
    advice: 'Keep what varies, such as numbers of users, out of the names.',
  },
  'store.broken': {
    happened: 'A file of a store is damaged, so its records are missing.',
    advice: 'Import its log again.',
  },
  'store.failed': {
    happened: 'The records of the window cannot be kept on disk or read back, or can be kept again.',
    advice: 'Make room on the disk, or give permission, as the text says. New records wait until then.',
  },
  'stream.damaged': {
    happened: 'A framed stream has a part that is no message, or none that may be taken. That part is skipped.',
    advice: 'Check the program that writes it.',
  },
  'stream.framing': {
    happened: 'The lengths that a sender gives for its records are wrong, or what it sends cannot be read.',
    advice: 'Check the framing or the protocol in the settings of the sender.',
  },
  'workspace.part': {
    happened:
      'A workspace of an incident was opened. It has the records around the marks alone; the text says how many others were left out.',
    advice: '',
  },
  'workspace.unreadable': {
    happened: 'The workspace file cannot be read.',
    advice: 'Check its permissions, as the text says.',
  },
  'workspace.unused': {
    happened: 'A section of the workspace file is not used by the window.',
    advice: 'Remove it, or run the file with “sluicebox run”.',
  },
  'workspace.unwritten': {
    happened: 'The workspace file could not be changed, so a change is not kept.',
    advice: 'Correct the file or its permissions, as the text says.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** The code of a notice. One about an error, such as a file that cannot be read, has the code of the error. */
export type NoticeCode = keyof typeof NOTICES | ErrorCode;
