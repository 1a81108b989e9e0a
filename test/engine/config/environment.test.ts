import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import { problemsOf } from './fixtures.ts';

describe('variables of the environment', () => {
  it('are replaced before the text is read', () => {
    const { config, problems } = parseConfig('[LogOutput]\nmessage_matcher = "%ENV[M]%ENV[NONE]"\ncan_exit = %ENV[YES]', 'p.toml', {
      environment: { M: 'Pid == 1', YES: 'true' },
    });
    expect(problems).toEqual([]);
    expect(config.outputs[0]).toMatchObject({ message_matcher: 'Pid == 1', can_exit: true });
  });

  it.each([
    ['[a]\nb = "%ENV[HO ME]"', 'p.toml:2: %ENV[ needs a name without white space'],
    ['a = "%ENV[HOME\n]"', 'p.toml:1: %ENV[ needs a name without white space'],
    ['# %ENV[HOME', 'p.toml:1: %ENV[HOME is not closed by ]'],
    ['a = "%ENV[HOME:-x\ny]"', 'p.toml:1: %ENV[ needs a name without white space'],
  ])('%j is refused', (text, problem) => expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]));

  it.each([
    ['%ENV[A:-x y]', {}, 'x y', 0],
    ['%ENV[A:-x]', { A: '' }, 'x', 0],
    ['%ENV[A:-x]', { A: 'a' }, 'a', 0],
    ['%ENV[A:-]', {}, '', 0],
    ['%ENV[A:-b:-c]', {}, 'b:-c', 0],
    ['%ENV[A:b]', {}, '', 1],
  ])('%s with %j is %j', (text, environment, hostname, remarked) => {
    const { config, remarks } = parseConfig(`[svcd]\nhostname = "${text}"`, 'p.toml', { environment });
    expect([config.service.hostname, remarks.length]).toEqual([hostname, remarked]);
  });

  it.each(['toString', 'constructor', '__proto__'])('%s is one only where it is set', (name) => {
    const { config, remarks } = parseConfig(`[svcd]\nhostname = "a%ENV[${name}]b"`, 'p.toml', { environment: {} });
    expect(config.service.hostname).toBe('ab');
    expect(remarks).toEqual([expect.stringContaining(`%ENV[${name}] is not set`)]);
  });

  it('do not move the lines that problems name', () => {
    const environment = { LINES: 'a\nb\nc', X: '' };
    expect(problemsOf('[svcd]\n# %ENV[X]%ENV[X]\nhostname = """%ENV[LINES]"""\nmaxprocs = 0', environment)).toEqual([
      'p.toml:4: [svcd] maxprocs: must be at least 1, not 0',
    ]);
    expect(problemsOf('hostname = """%ENV[LINES]"""\nmaxprocs = = 0', environment)).toEqual([
      expect.stringMatching(/^p\.toml:2: is not valid TOML/),
    ]);
  });
});
