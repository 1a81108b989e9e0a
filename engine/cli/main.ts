/** The process of the headless command. */
import { closeInherited } from '../base/process/descriptors.ts';
import { outliveReaders, standardOutput, tellLine } from '../base/process/terminal.ts';
import { Exit, type CommandContext } from './command.ts';
import { runCommandLine } from './command-line.ts';
import { Output } from './output.ts';
import { takeRequests } from './signals.ts';

async function main(): Promise<number> {
  closeInherited(process.argv);
  const complain: CommandContext['complain'] = (line, level) => tellLine(`sluicebox: ${line}`, level);
  outliveReaders();
  const out = new Output(standardOutput());
  const stop = new AbortController();
  out.onClosed(() => stop.abort());
  stop.signal.addEventListener('abort', () => process.stdin.destroy());
  const args = process.argv.slice(2);
  const { overdue, ...requests } = takeRequests(stop, args[0] === 'run');
  // A command may wait without end, such as for the writer of a pipe.
  return Promise.race([runCommandLine(args, { out, complain, signal: stop.signal, ...requests }), overdue.then(() => Exit.interrupted)]);
}

// Standard input or a host may still be open: what had to be written is written.
process.exit(await main());
