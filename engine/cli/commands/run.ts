import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { letHeapGrow } from '../heap.ts';
import { formatProblem } from '../../config/problems.ts';
import { checkConfig } from '../../service/check/check-config.ts';
import { ServiceLog } from '../service-log.ts';
import { Service } from '../service.ts';
import { ServiceSandboxes } from '../service-sandboxes.ts';
import { parseArguments, parseCount } from '../settings.ts';
import { END_AT_ONCE } from '../signals.ts';

const help = `Usage: sluicebox run CONFIG [--until-idle]

Runs the pipeline of a configuration, a TOML file or a folder of them, until it is interrupted. It then processes what it has read; a
second interrupt only says what it still waits for. ${END_AT_ONCE.given} ends it at once; what was not processed is read again at the next start.

While it runs, inputs, filters and outputs that are added, changed or removed in the configuration are started, replaced and stopped at
once. What else is changed takes effect at the next start. A configuration with problems changes nothing; the problems go to standard error.

      --until-idle          ends when all files are read and all their records are processed; with exit code 1 when a script has ended or an input has
                            failed meanwhile
      --report-interval SECONDS
                            time between two reports on the service itself, which are messages of the pipeline of Type svc.all-report and
                            svc.memstat (5; 0: none; none with --until-idle, and none where the messages' own time is the clock)

The signal SIGUSR1 makes it print such a report as text; SIGHUP makes it open its output files anew, for after they were moved away. SIGUSR2 is for
a service that seems to hang: when no message has got through for a while, it prints the report, keeps the state of its scripts and ends.
`;

export const run: Command = {
  help,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      'until-idle': { type: 'boolean', default: false },
      'report-interval': { type: 'string' },
    });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw new UsageError('run needs one configuration.');
    if (!values['until-idle']) letHeapGrow();
    const sandboxes = new ServiceSandboxes(values['until-idle']);
    try {
      return await runChecked(path, context, sandboxes, values['until-idle'], values['report-interval']);
    } finally {
      await sandboxes.close();
    }
  },
};

async function runChecked(
  path: string,
  context: CommandContext,
  sandboxes: ServiceSandboxes,
  untilIdle: boolean,
  interval: string = untilIdle ? '0' : '5',
): Promise<number> {
  const checked = await checkConfig(path, (service) => sandboxes.of(service));
  const { config, problems, warnings } = checked;
  if (problems.length > 0) {
    for (const problem of problems) context.complain(formatProblem(problem));
    return Exit.failed;
  }
  if (config.inputs.length === 0) {
    context.complain(`${path}: there is no input, so there is nothing to do: add a section such as a FileInput.`);
    return Exit.failed;
  }
  const log = new ServiceLog(context.complain, config.service.log_flags);
  for (const text of warnings) log.notice({ level: 'warning', text });
  return new Service(path, checked, log, context, sandboxes).run(untilIdle, parseCount('--report-interval', interval));
}
