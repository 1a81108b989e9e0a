import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ProcessInput, type ProcessInputOptions } from '../../../../engine/inputs/process/process-input.ts';
import { temporaryFolder, TestSink } from '../harness.ts';
import { until } from '../../../until.ts';

type Command = ProcessInputOptions['commands'][number];

const command = (bin: string, ...args: string[]): Command => ({ bin, args, env: [] });
const shell = (line: string, more: Partial<Command> = {}): Command => ({ ...command('sh', '-c', line), ...more });

interface Running {
  readonly input: ProcessInput;
  readonly sink: TestSink;
}

async function started(commands: readonly Command[], options: Partial<ProcessInputOptions> = {}): Promise<Running> {
  const input = new ProcessInput({ name: 'run', commands, seconds: 0, hostname: 'box', pid: 42, ...options });
  const sink = new TestSink();
  await input.start(sink);
  return { input, sink };
}

/** Runs commands once, to their end. */
async function ran(
  commands: readonly Command[],
  options: Partial<ProcessInputOptions> = {},
): Promise<Running & { end: Awaited<ProcessInput['ended']> }> {
  const running = await started(commands, options);
  const end = await running.input.ended;
  await running.input.stop();
  return { ...running, end };
}

const fieldsOf = ({ sink }: Running, row = 0): Record<string, unknown> =>
  Object.fromEntries(sink.batches[row]?.batch.message(0).fields.map(({ name, values }) => [name, values[0]]) ?? []);

/** Whether a process is there and runs. */
function lives(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a command', () => {
  it('brings all that it writes as one message', async () => {
    const running = await ran([shell('echo one; echo two')]);
    expect(running.end).toEqual({ status: 0, signal: null, reason: null });
    expect(running.sink.payloads).toEqual(['one\ntwo\n']);
    const message = running.sink.batches[0]?.batch.message(0);
    expect(message).toMatchObject({ type: 'ProcessInput', logger: 'run', hostname: 'box', pid: 42 });
    expect(message?.fields).toEqual([
      { name: 'ProcessInputName', valueType: 0, values: ['run.stdout'] },
      { name: 'ExitStatus', valueType: 2, values: [0n] },
    ]);
  });

  it('brings its lines as they come', async () => {
    const running = await started([shell('echo one; sleep 30; echo two')], { split: { kind: 'line' } });
    await until(() => running.sink.records.length === 1, 'the first line');
    await running.input.stop();
    expect(running.sink.payloads).toEqual(['one']);
  });

  it.runIf(process.platform !== 'win32')('reads a pipe whose writers come and go', async () => {
    await using folder = await temporaryFolder();
    const pipe = folder.file('pipe');
    execFileSync('mkfifo', [pipe]);
    const running = await started([shell(`cat <> ${pipe}`)], { split: { kind: 'line' } });
    for (const text of ['one', 'two', 'three']) {
      await appendFile(pipe, `${text}\n`);
      await until(() => running.sink.payloads.at(-1) === text, text);
    }
    await running.input.stop();
    expect(running.sink.payloads).toEqual(['one', 'two', 'three']);
  });

  it.each<[string, Command[], Partial<ProcessInputOptions>, string[]]>([
    ['that writes nothing is not a message', [command('true')], {}, []],
    ['is cut by a delimiter', [command('printf', 'a--b--c')], { split: { kind: 'regex', pattern: '--' } }, ['a', 'b', 'c']],
    ['keeps the last line without an end', [command('printf', 'a\\nb')], { split: { kind: 'line' } }, ['a', 'b']],
    ['gets no input', [command('cat')], {}, []],
    ['gets its arguments as they are', [command('printf', '%s|', 'a b', '$HOME', '', '*')], {}, ['a b|$HOME||*|']],
    ['runs in its folder', [{ ...command('pwd'), directory: '/usr/bin/../lib' }], { split: { kind: 'line' } }, ['/usr/lib']],
    [
      'has only the environment that is named',
      [{ ...command('env'), env: ['A=1', 'B=x=y'] }],
      { split: { kind: 'line' } },
      ['A=1', 'B=x=y'],
    ],
    ['is not heard when it complains', [shell('echo bad >&2; echo good')], {}, ['good\n']],
    ['is heard when it complains, if that is asked for', [shell('echo bad >&2')], { stderr: true }, ['bad\n']],
    ['is not heard at all', [shell('echo bad >&2; echo good')], { stdout: false }, []],
  ])('%s', async (_title, commands, options, payloads) => {
    const { sink, end } = await ran(commands, options);
    expect([sink.payloads, end.reason]).toEqual([payloads, null]);
  });

  it('says which output a record is from', async () => {
    const running = await ran([shell('echo bad >&2; sleep 0.1; echo good')], { stderr: true, split: { kind: 'line' } });
    expect(running.sink.payloads.toSorted()).toEqual(['bad', 'good']);
    expect([0, 1].map((row) => fieldsOf(running, row).ProcessInputName).toSorted()).toEqual(['run.stderr', 'run.stdout']);
  });

  it('tells once what is wrong with the output of its runs', async () => {
    const running = await started([shell("printf 'a\\377'")], { seconds: 0.05, immediately: true });
    await until(() => running.sink.records.length >= 3, 'three runs');
    await running.input.stop();
    expect(running.sink.codes).toEqual(['file.encoding']);
  });

  it.each<[string, Command[], string | null, number | null]>([
    ['a status', [shell('exit 3')], 'sh ended with status 3.', 3],
    ['a status and a complaint', [shell('echo no such disk >&2; exit 3')], 'sh ended with status 3: no such disk', 3],
    ['a signal', [shell('kill -9 $$')], 'sh was ended by SIGKILL.', null],
    [
      'no such program',
      [command('no-such-program')],
      'no-such-program cannot be started: there is no such program. Check the name, or give its whole path.',
      null,
    ],
    [
      'no such path',
      [command('/no/such')],
      '/no/such cannot be started: there is no such program. Check the name, or give its whole path.',
      null,
    ],
    ['no such folder', [{ ...command('true'), directory: '/no/such' }], 'true cannot be started: its folder /no/such is not there.', null],
    [
      'a folder',
      [command('/usr')],
      '/usr cannot be started: it may not be run by this user. Check the permissions of the program and of its folder.',
      null,
    ],
    [
      'one of several that is not there',
      [command('sleep', '60'), command('no-such-program')],
      'no-such-program cannot be started: there is no such program. Check the name, or give its whole path.',
      null,
    ],
    [
      'a status and a long complaint in another language',
      [shell(`i=0; while [ $i -lt 300 ]; do printf 'ü' >&2; i=$((i + 1)); done; echo >&2; echo 'Gerät fehlt' >&2; exit 3`)],
      'sh ended with status 3: Gerät fehlt',
      3,
    ],
  ])('that fails ends the input: %s', async (_title, commands, reason, status) => {
    for (const options of [{}, { stderr: true, split: { kind: 'line' } as const }]) {
      const { end } = await ran(commands, options);
      expect([end.reason, end.status]).toEqual([reason, status]);
    }
  });
});

describe('a chain of commands', () => {
  it('hands on what each writes', async () => {
    const { sink } = await ran([command('printf', 'b\\na\\nc\\n'), command('sort'), command('tr', 'a-z', 'A-Z')], {
      split: { kind: 'line' },
    });
    expect(sink.payloads).toEqual(['A', 'B', 'C']);
  });

  it('moves much without holding it', async () => {
    const { sink } = await ran([command('head', '-c', '5000000', '/dev/zero'), command('tr', '\\0', 'x'), command('wc', '-c')]);
    expect(sink.payloads.map((text) => text.trim())).toEqual(['5000000']);
  });

  it('ends when the last one does', async () => {
    const { sink, end } = await ran([command('yes'), command('head', '-n', '2')]);
    expect([sink.payloads, end.reason]).toEqual([['y\ny\n'], null]);
  });

  it('says at the next run what went wrong in front of the last one', async () => {
    const running = await started([shell('echo x; exit 4'), command('cat')], { seconds: 1, immediately: true });
    await until(() => running.sink.records.length >= 2, 'two runs');
    await running.input.stop();
    expect(fieldsOf(running, 0)).toEqual({ ProcessInputName: 'run.stdout', ExitStatus: 0n });
    expect(fieldsOf(running, 1)).toEqual({ ProcessInputName: 'run.stdout', ExitStatus: 0n, SubcmdErrors: 'command 0 (sh): exit status 4' });
    expect(running.sink.codes).toEqual(['process.failed']);
  });
});

describe.concurrent('a command that is run again and again', () => {
  it('runs first after an interval, and then at each', async () => {
    const begun = performance.now();
    const running = await started([shell('echo x; exit 7')], { seconds: 1 });
    await until(() => running.sink.records.length > 0, 'the first run');
    // A timer may be a little early by another clock.
    expect(performance.now() - begun).toBeGreaterThan(990);
    await until(() => running.sink.records.length >= 2, 'two runs');
    await running.input.stop();
    expect([0, 1].map((row) => fieldsOf(running, row).ExitStatus)).toEqual([0n, 7n]);
    // The same failure is told once.
    expect(running.sink.notices).toEqual([{ level: 'warning', code: 'process.failed', text: 'Input run: sh ended with status 7.' }]);
    expect(running.input.figures()).toEqual({ RunCount: running.sink.records.length, ExitStatus: 7 });
  });

  it('is killed when it takes too long, with all that it started; what it wrote stays', async () => {
    await using folder = await temporaryFolder();
    const running = await started([shell(`sleep 77 & echo $! > ${folder.file('pid')}; echo x; wait`)], {
      seconds: 4,
      immediately: true,
      timeout: 3,
    });
    await until(() => running.sink.idles === 1, 'the end of the run');
    expect(running.sink.payloads).toEqual(['x\n']);
    expect(running.sink.codes).toEqual(['process.timeout']);
    expect(lives(Number(readFileSync(folder.file('pid'), 'utf8')))).toBe(false);
    await until(() => running.sink.records.length >= 2, 'the next run');
    expect(fieldsOf(running, 1).ExitStatus).toBe(-1n);
    await running.input.stop();
  });

  it('is left out while it still runs', async () => {
    const running = await started([shell('echo x; sleep 1.5')], { seconds: 1, immediately: true, split: { kind: 'line' } });
    await until(() => running.sink.records.length >= 2, 'the second run');
    await running.input.stop();
    expect(running.input.figures()).toMatchObject({ RunCount: running.sink.records.length });
  });
});

describe.concurrent('at its stop', () => {
  it('a command is asked to end, and all that it started', async () => {
    await using folder = await temporaryFolder();
    const running = await started([shell(`trap "echo bye; exit" TERM; sleep 77 & echo $! > ${folder.file('pid')}; wait`)]);
    await until(() => existsSync(folder.file('pid')) && readFileSync(folder.file('pid'), 'utf8') !== '', 'the command');
    await running.input.stop();
    expect(running.sink.payloads).toEqual(['bye\n']);
    expect(lives(Number(readFileSync(folder.file('pid'), 'utf8')))).toBe(false);
  });

  it('a command that does not end is killed', async () => {
    await using folder = await temporaryFolder();
    const running = await started([shell(`trap "" TERM; echo $$ > ${folder.file('pid')}; while :; do sleep 0.1; done`)]);
    await until(() => existsSync(folder.file('pid')) && readFileSync(folder.file('pid'), 'utf8') !== '', 'the command');
    await running.input.stop();
    expect(lives(Number(readFileSync(folder.file('pid'), 'utf8')))).toBe(false);
  });

  it('a command that waits for the pipeline ends', async () => {
    const running = await started([command('yes')], { split: { kind: 'line' } });
    await until(() => running.sink.records.length > 100_000, 'many lines');
    await running.input.stop();
    expect(new Set(running.sink.payloads.slice(0, -1))).toEqual(new Set(['y']));
  });

  it('a command that is just being started ends', async () => {
    const running = await started([command('sleep', '60')]);
    await running.input.stop();
    expect(running.sink.notices).toEqual([]);
  });

  it('it can be started again', async () => {
    const running = await started([shell('echo x; sleep 60')], { split: { kind: 'line' } });
    await until(() => running.sink.records.length === 1, 'a line');
    await running.input.stop();
    await running.input.start(running.sink);
    await until(() => running.sink.records.length === 2, 'another line');
    await running.input.stop();
  });
});

it('a silent command is idle only where that is wanted', async () => {
  const quiet = await started([shell('echo x; sleep 60')], { split: { kind: 'line' }, idleWhenQuiet: true });
  const other = await started([shell('echo x; sleep 60')], { split: { kind: 'line' } });
  await until(() => quiet.sink.idles > 0 && quiet.sink.records.length === 1, 'the silence');
  expect(other.sink.idles).toBe(0);
  await Promise.all([quiet.input.stop(), other.input.stop()]);
});

it('bytes that are not text are told once', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('bytes'), Buffer.from([0x61, 0xff, 0xfe, 10, 0xff, 10]));
  const { sink } = await ran([command('cat', folder.file('bytes'))], { split: { kind: 'line' } });
  expect(sink.records).toHaveLength(2);
  expect(sink.codes).toEqual(['file.encoding']);
});
