import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { control, loading, managerBench } from './manager-bench.ts';

const { setUp, files, folder } = managerBench();

describe('a manager that is told nonsense', () => {
  const names = [
    ...[
      '../../etc/x',
      '..',
      '/etc/passwd',
      'a/../../b',
      'né 😀',
      '__proto__',
      'constructor',
      'toString',
      ' ',
      '',
      'a\u0000b',
      '\\\\host\\x',
    ],
    ...['x'.repeat(300), 'é'.repeat(5000)],
  ];

  it.each(names)('takes the name %j, or refuses it, and goes on', async (name) => {
    const { load, unload, running, log } = await setUp('max_filters = 50');
    await load(JSON.stringify(name));
    const loaded = running();
    for (const one of loaded) expect(one).toMatch(/^mgr-\w*$/);
    expect(await files()).toEqual(loaded.flatMap((one) => [`${one}.js`, `${one}.toml`]));
    expect((await readdir(folder())).sort()).toEqual(['sbxmgrs']);
    await unload(name);
    expect([running(), await files()]).toEqual([[], []]);
    await load('Good');
    expect([running(), log.at(-1)]).toEqual([['mgr-Good'], 'info: [mgr] mgr-Good was loaded']);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['no action', {}],
    ['another action', { action: 'LOAD', config: '[a]' }],
    ['no configuration', { action: 'load' }],
    ['no name', { action: 'unload' }],
    ['an empty configuration', { action: 'load', config: '' }],
    ['no TOML', { action: 'load', config: '[a\u0000' }],
    ['no section', { action: 'load', config: 'a = 1' }],
    ['a list of sections', { action: 'load', config: '[[a]]\ntype = "SandboxFilter"' }],
    ['a section of itself', { action: 'load', config: '[mgr]\ntype = "SandboxManagerFilter"\nmax_filters = 9' }],
    ['the service', { action: 'load', config: '[svcd]\nbase_dir = "/"' }],
    ['too deep a table', { action: 'load', config: `[a]\nconfig = ${'{a='.repeat(2000)}1${'}'.repeat(2000)}` }],
    ['a large configuration', { action: 'load', config: `[a]\n${'# x\n'.repeat(50_000)}` }],
  ])('refuses %s and goes on', async (_what, fields) => {
    const { send, load, running } = await setUp('max_filters = 2');
    await send(control(fields));
    expect([running(), await files()]).toEqual([[], []]);
    await load('Good');
    expect(running()).toEqual(['mgr-Good']);
  });

  it('loads no more than it may, however often it is asked', async () => {
    const { send, running, log } = await setUp('max_filters = 2');
    const messages = Array.from({ length: 300 }, (_, i) => loading(`F${i}`, 'good', {}));
    await Promise.all(messages.map((one) => send(one)));
    expect(running()).toEqual(['mgr-F0', 'mgr-F1']);
    expect(await files()).toHaveLength(4);
    expect(log.filter((line) => line.includes('no more than max_filters of 2'))).toHaveLength(298);
  });
});
