import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import { managedFilter, parseManaged } from '../../../engine/config/managed.ts';
import { unavailableOptions } from '../../../engine/config/unavailable.ts';

const FORCED = { filename: '/kept/m-a.js', memory_limit: 1, instruction_limit: 2, output_limit: 3 };
const load = (text: string) =>
  managedFilter(parseManaged(text, 'config'), { name: 'm-a', file: '/kept/m-a.toml' }, FORCED, { filter: ['known'] });

describe('the configuration of a filter that is loaded', () => {
  it('has what the manager sets, whatever it says itself', () => {
    const text = `[a]
type = "SandboxFilter"
message_matcher = "Payload == '%ENV[HOME]'"
filename = "x.js"
module_directory = "/mine"
memory_limit = 10
instruction_limit = 20
output_limit = 30
can_exit = false
preserve_data = true
[a.config]
key = 1
[b]
type = "nonsense"
`;
    const filter = load(text);
    expect(filter).toMatchObject({
      name: 'm-a',
      type: 'SandboxFilter',
      ...FORCED,
      can_exit: true,
      preserve_data: true,
      config: { key: 1 },
      message_matcher: "Payload == '%ENV[HOME]'",
      origin: { file: '/kept/m-a.toml' },
    });
    expect(filter.module_directory).toBeUndefined();
  });

  it('may name a bundled script instead', () => {
    const filter = load('[a]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nplugin = "known"\nfilename = "x.js"');
    expect(filter).toMatchObject({ plugin: 'known' });
    expect(filter.filename).toBeUndefined();
  });

  it.each([
    ['[a', /^config:1: is not valid TOML/],
    ['', /^config: there is no section$/],
    ['a = [1, 2]\n# [b]', /^config: there is no section$/],
    ['[a]\ntype = 5', /^\[a\] must be a SandboxFilter, not 5$/],
    ['[a]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nticker_interval = "x"\nfoo = 1', /^\[a\] ticker_interval: .*; \[a\] foo: /],
    ['[a]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nplugin = "unknown"', /^\[a\] plugin: there is no bundled filter "unknown"/],
  ])('is refused: %j', (text, problem) => {
    expect(() => load(text)).toThrow(problem);
  });
});

it.each([
  ['SandboxDecoder', 'json_lines', 'a decoder'],
  ['SandboxEncoder', 'json_lines', 'an encoder'],
])('is warned of when a %s has parameters of other scripts', (type, plugin, kind) => {
  const others = [
    'ticker_interval = 5',
    'timer_event_on_shutdown = true',
    'message_matcher = "TRUE"',
    'message_signer = "ops"',
    'use_buffering = true',
    'buffering = { max_file_size = 1 }',
    'retries = { max_retries = 1 }',
    'can_exit = false',
  ];
  const config = (more: string): string => `[s]\ntype = "${type}"\nplugin = "${plugin}"\n${more}`;
  const own = 'preserve_data = true\nmemory_limit = 1\ninstruction_limit = 1\noutput_limit = 1\nprofile = true';
  expect(unavailableOptions(parseConfig(config(own), 's.toml').config)).toEqual([]);
  for (const other of others) {
    const [key = ''] = other.split(' ');
    expect(unavailableOptions(parseConfig(config(other), 's.toml').config)).toEqual([
      `s.toml:1: [s] ${key}: is without effect for ${kind}`,
    ]);
  }
});

it('is warned of when a manager can load nothing, or obeys everybody', () => {
  const warnings = (more: string): string[] =>
    unavailableOptions(parseConfig(`[m]\ntype = "SandboxManagerFilter"\n${more}`, 'p.toml').config);
  expect(warnings('')).toEqual([
    'p.toml:1: [m] max_filters: is 0: nothing can be loaded',
    'p.toml:1: [m] message_signer: is not set: whoever can send messages to this service can load scripts into it',
  ]);
  expect(warnings('max_filters = 1\nmessage_signer = "ops"')).toEqual([]);
});
