import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { parseArguments } from '../settings.ts';
import { formatProblem } from '../../config/problems.ts';
import type { PipelineConfig } from '../../config/sections.ts';
import { checkConfig } from '../../service/check/check-config.ts';

const help = `Usage: sluicebox check [--test] [--strict] CONFIG…

Checks configurations, each a TOML file or a folder of them, and prints everything for which run would refuse them, with its file and
line. Each script is loaded as run loads it, without input; no port is opened, and nothing is written or sent. Warnings name what can be
run but does less than it says: matchers that select a Type that nothing makes, timers that are never called, ports that are in use,
variables of messages that there are not. Where the package typescript is installed, they also name the mistakes that it finds in scripts.

The exit code is 0 when nothing is wrong, 1 when something is, and 2 when the command line is.

      --strict              warnings count as well
      --test                also runs the tests of the configurations, [[tests]], on their scripts, and prints the results in the Test
                            Anything Protocol; nothing is read, listened to, run or sent
`;

export const check: Command = {
  help,
  async run(args, context) {
    const { out, signal } = context;
    const options = { test: { type: 'boolean', default: false }, strict: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArguments(args, options);
    if (positionals.length === 0) throw new UsageError('check needs a configuration.');
    let wrong = 0;
    for (const path of positionals) {
      if (signal.aborted) break;
      const { config, problems, warnings } = await checkConfig(path, undefined, {
        seats: { here: { interruptible: true } },
        thorough: true,
      });
      for (const problem of problems) out.addLine(formatProblem(problem));
      for (const warning of warnings) out.addLine(`warning: ${warning}`);
      wrong += problems.length + (values.strict ? warnings.length : 0);
      if (problems.length > 0) continue;
      out.addLine(`${path}: no problems`);
      if (values.test) wrong += await testsOf(config, context);
    }
    if (signal.aborted) return out.closed ? Exit.ok : Exit.interrupted;
    return wrong === 0 ? Exit.ok : Exit.failed;
  },
};

/** Runs the tests of a configuration and returns the number that failed. Starts no script when there are none. */
async function testsOf(config: PipelineConfig, context: CommandContext): Promise<number> {
  if (config.tests.length === 0) {
    context.out.addLine('1..0 # no tests');
    return 0;
  }
  const { commandSandboxes } = await import('../command-sandboxes.ts');
  const { runConfigTests } = await import('../config-tests.ts');
  const sandboxes = commandSandboxes();
  try {
    return await runConfigTests(config, sandboxes, context);
  } finally {
    await sandboxes.close();
  }
}
