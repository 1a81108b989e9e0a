import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askYesNo, installationWay, isYes } from '../../../scripts/lib/consent.mjs';

describe('installationWay', () => {
  const desk = { canInstall: true, hasDisplay: true, isCi: false, hasTerminal: true };

  it.each([
    ['asks at a desk', {}, 'ask'],
    ['names the command where nobody can be asked', { hasTerminal: false }, 'tell'],
    ['installs without a display', { hasDisplay: false }, 'install'],
    ['installs without a display and a terminal', { hasDisplay: false, hasTerminal: false }, 'install'],
    ['installs in continuous integration', { isCi: true, hasTerminal: false }, 'install'],
    ['names the command without the right to install', { canInstall: false }, 'tell'],
    ['names the command without the right to install, also without a display', { canInstall: false, hasDisplay: false }, 'tell'],
    ['names the command without the right to install, also in continuous integration', { canInstall: false, isCi: true }, 'tell'],
  ])('%s', (_what, machine, way) => expect(installationWay({ ...desk, ...machine })).toBe(way));
});

describe('isYes', () => {
  it.each(['', ' ', 'y', 'Y', 'yes', 'Yes '])('takes %j for yes', (answer) => expect(isYes(answer)).toBe(true));
  it.each(['n', 'N', 'no', 'nope', 'later', 'yn'])('takes %j for no', (answer) => expect(isYes(answer)).toBe(false));
});

describe('askYesNo', () => {
  it.each([
    ['\n', true],
    ['y\n', true],
    ['n\n', false],
    ['', false],
  ])('hears %j', async (typed, wanted) => {
    const input = new PassThrough();
    const output = new PassThrough();
    const answered = askYesNo('Install them now?', input, output);
    input.end(typed);
    expect(await answered).toBe(wanted);
    expect(String(output.read())).toContain('Install them now? [Y/n]');
  });
});
