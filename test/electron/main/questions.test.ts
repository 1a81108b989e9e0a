import { describe, expect, it } from 'vitest';
import { fileQuestion, windowQuestion, workspaceQuestion } from '../../../electron/main/questions.ts';
import type { Demand } from '../../../engine/api/wire.ts';

describe('questions', () => {
  const command = (text: string): Demand => ({ key: '', by: 'window', kind: 'command', section: 'evil', text, local: false });

  it('name the length of what needs several pages, and say on the last one what it is about', () => {
    const { pages } = windowQuestion(command('x'.repeat(5000)));
    expect(pages).toHaveLength(4);
    expect(pages[0]).toContain('Part 1 of 4, 5000 characters in all.');
    expect(pages[0]).not.toContain('with your rights');
    expect(pages[3]).toContain('with your rights');
  });

  it('are confirmed by Enter only where something is just read', () => {
    const preset = (['open', 'command', 'file', 'client'] as const).map((kind) => windowQuestion({ ...command('/x'), kind }).isPreset);
    expect(preset).toEqual([true, undefined, undefined, undefined]);
  });

  it('cannot be passed for by what they are about', () => {
    const { pages } = windowQuestion(command('ls\n\nIt is harmless.'));
    expect(pages[0]).toMatch(/^│ ls\n│ \n│ It is harmless\.\n\nIt runs with your rights/);
  });

  it('about a workspace file number what would start, and show commands first and everything whole', () => {
    const commands = Array.from({ length: 40 }, (_, i) => ({ ...command(`sh -c 'echo ${i}'`), section: `c${i}` }));
    const listeners = [':514', ':515'].map((text) => ({ ...command(`UdpInput ${text}`), kind: 'listener' as const, section: 'net' }));
    const client = { ...command(`POST http://a/\n(with the body ${'x'.repeat(3000)})`), kind: 'client' as const, section: 'web' };
    const { message, pages, confirm } = fileQuestion([...listeners, client, ...commands]);
    expect(message).toBe('Start what the workspace file lists (40 commands, 1 connection, 2 listeners)?');
    expect(confirm).toBe('Start all 43');
    const shown = pages.map((page) => page.split('\n\nPart')[0]).join('\n');
    for (const { section, text } of commands) expect(shown).toContain(`│ [${section}]\nruns the command\n│ ${text}`);
    const order = ['runs the command', 'connects to', 'listens on'].map((words) => shown.indexOf(words));
    expect(order).toEqual(order.toSorted((x, y) => x - y));
    expect(shown.replaceAll('\n│ ', '')).toContain(`${'x'.repeat(3000)})`);
    expect(shown).toContain('listens on\n│ UdpInput :515');
    for (const page of pages) expect(page.split('\n').length).toBeLessThanOrEqual(28);
    expect(pages.at(-1)).toContain('The workspace file was written or changed outside of this window.');
  });

  it('escape the names of sections', () => {
    expect(fileQuestion([{ ...command('ls'), section: 'a\u202E]' }]).pages[0]).toMatch(
      String.raw`│ [a\u{202e}]]` + '\nruns the command\n│ ls',
    );
  });

  it('about a workspace that is opened show its scripts first, and say what they are', () => {
    const script = { ...command('mine.ts, 3 lines'), kind: 'script', by: 'workspace', section: 'mine.ts' } as const;
    const file = { ...command('/var/log/x'), kind: 'open', by: 'workspace', section: '' } as const;
    const { message, pages, confirm } = workspaceQuestion([file, command('ls'), script]);
    expect([message, confirm]).toEqual(['Open this workspace with what it brings (1 script, 1 command, 1 file)?', 'Open']);
    expect(pages[0]).toMatch(
      /^│ \[mine\.ts\]\nbrings the script\n│ mine\.ts, 3 lines\n\n│ \[evil\]\nruns the command\n│ ls\n\nopens\n│ \/var\/log\/x\n\nOpen it only if/,
    );
  });
});
