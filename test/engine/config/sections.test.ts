import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import { formatProblem } from '../../../engine/config/problems.ts';

const parsed = (text: string): ReturnType<typeof parseConfig> => parseConfig(text, 'p.toml', { environment: {} });
const PROCESS = '[p]\ntype = "ProcessInput"\n';

describe('defaults', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['a polled file', '[FilePollingInput]\nfile_path = "/proc/loadavg"', { ticker_interval: 5, splitter: 'none', can_exit: false }],
    [
      'a command',
      `${PROCESS}[p.command.0]\nbin = "df"`,
      {
        ticker_interval: 15,
        immediate_start: false,
        timeout: 0,
        stdout: true,
        stderr: false,
        splitter: 'none',
        clock: 'wall',
        command: [{ bin: 'df', args: [], env: [] }],
      },
    ],
    [
      'a receiver of stats',
      '[StatsdInput]\n[StatAccumInput]',
      { address: '127.0.0.1:8125', stat_accum_name: 'StatAccumInput', max_msg_size: 512 },
    ],
    [
      'an accumulator',
      '[StatAccumInput]',
      {
        emit_in_payload: true,
        emit_in_fields: false,
        percent_threshold: [90],
        message_type: 'svc.statmetric',
        ticker_interval: 10,
        legacy_namespaces: false,
        global_prefix: 'stats',
        counter_prefix: 'counters',
        timer_prefix: 'timers',
        gauge_prefix: 'gauges',
        statsd_prefix: 'statsd',
        delete_idle_stats: false,
      },
    ],
  ])('of %s', (_title, text, wanted) => {
    const { config, problems } = parsed(text);
    expect(problems).toEqual([]);
    expect(config.inputs[0]).toMatchObject(wanted);
  });

  it('commands come in the order of their numbers', () => {
    const commands = [10, 2, 0, 1, 3, 4, 5, 6, 7, 8, 9].map((i) => `[p.command.${i}]\nbin = "c${i}"\n`);
    const { config } = parsed(PROCESS + commands.join(''));
    expect(config.inputs[0]).toMatchObject({ command: Array.from({ length: 11 }, (_, i) => ({ bin: `c${i}` })) });
  });
});

describe('what is wrong is told', () => {
  it.each<[string, string[]]>([
    ['[FilePollingInput]', ['p.toml:1: [FilePollingInput] file_path: is required']],
    [
      '[FilePollingInput]\nfile_path = ""\nticker_interval = 0',
      [expect.stringContaining('file_path') as string, expect.stringContaining('ticker_interval') as string],
    ],
    [PROCESS, ['p.toml:1: [p] command: is required']],
    [`${PROCESS}[p.command]`, ['p.toml:3: [p] command: needs a command 0']],
    [`${PROCESS}[p.command.1]\nbin = "x"`, ['p.toml:3: [p] command: has no command 0; commands are numbered from 0 on']],
    [
      `${PROCESS}[p.command.0]\nbin = "x"\n[p.command.2]\nbin = "x"`,
      ['p.toml:3: [p] command: has no command 1; commands are numbered from 0 on'],
    ],
    [
      `${PROCESS}[p.command.first]\nbin = "x"`,
      ['p.toml:3: [p] command.first: must be a number: 0 for the first command, 1 for the one behind it …'],
    ],
    [`${PROCESS}[p.command.0]\nargs = []`, ['p.toml:3: [p] command.0.bin: is required']],
    [
      `${PROCESS}[p.command.0]\nbin = "x"\nenv = ["A"]\nargs = "y"`,
      [
        expect.stringContaining('p.toml:5: [p] command.0.env.0: must be NAME=value') as string,
        expect.stringContaining('command.0.args') as string,
      ],
    ],
    [
      `${PROCESS}[p.command.0]\nbin = "x"\ndir = "/"`,
      [expect.stringContaining('[p] command.0.dir: is not a parameter of this section (known are bin, args, env, directory)') as string],
    ],
    [
      '[StatsdInput]\nstat_accum_name = "stat"\n[stats]\ntype = "StatAccumInput"',
      ['p.toml:2: [StatsdInput] stat_accum_name: there is no section "stat" of the type StatAccumInput (did you mean stats?)'],
    ],
    ['[StatsdInput]', ['p.toml:1: [StatsdInput] stat_accum_name: there is no section "StatAccumInput" of the type StatAccumInput']],
    [
      '[StatsdInput]\ndecoder = "x"\n[StatAccumInput]',
      [expect.stringContaining('decoder: is not a parameter of this section') as string, expect.any(String) as string],
    ],
    [
      '[StatAccumInput]\nemit_in_payload = false',
      ['p.toml:2: [StatAccumInput] emit_in_payload: must be true, unless emit_in_fields is: otherwise no stat would be emitted'],
    ],
    ['[StatAccumInput]\nticker_interval = 0', [expect.stringContaining('p.toml:2: [StatAccumInput] ticker_interval') as string]],
    ['[StatAccumInput]\npercent_threshold = [101]', [expect.stringContaining('p.toml:2: [StatAccumInput] percent_threshold.0') as string]],
  ])('%s', (text, wanted) => expect(parsed(text).problems.map(formatProblem)).toEqual(wanted));
});
