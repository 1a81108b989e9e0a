import { describe, expect, it } from 'vitest';
import { run } from '../../../scripts/lib/run.mjs';

const node = (code: string): [string, string[]] => [process.execPath, ['-e', code]];
const LEFT_BEHIND = `require('child_process').spawn('sleep', ['20'], { stdio: 'inherit' }).unref()`;

describe('a command that is run', () => {
  it('gives its output and its code', async () => {
    const result = await run(...node('console.log(1); console.error(2); process.exitCode = 3'));
    expect(result).toEqual({ code: 3, stdout: '1\n', stderr: '2\n', timedOut: false });
  });

  it('that does not exist has the code 127', async () => {
    expect(await run('/no/such/command', [])).toMatchObject({ code: 127, timedOut: false });
  });

  it('that never ends is killed after its time', async () => {
    expect(await run(...node('setInterval(() => {}, 1000)'), { timeoutMs: 200 })).toMatchObject({ code: 137, timedOut: true });
  });

  it.skipIf(process.platform === 'win32')('that leaves something behind has ended all the same', async () => {
    expect(await run(...node(`${LEFT_BEHIND}; console.log('done'); process.exit(0)`))).toMatchObject({ code: 0, stdout: 'done\n' });
  });
});
