import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../engine/config/load.ts';
import type { PipelineConfig } from '../../../engine/config/sections.ts';
import {
  filterChanges,
  inputChanges,
  outputChanges,
  pendingChanges,
  type SectionChanges,
} from '../../../engine/service/section-changes.ts';

function config(text: string): PipelineConfig {
  const parsed = parseConfig(text, 'p.toml', { bundled: { filter: ['http_status'], decoder: ['json_lines'], encoder: ['plain_text'] } });
  expect(parsed.problems).toEqual([]);
  return parsed.config;
}

const filter = (name: string, severity = 3): string =>
  `[${name}]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "Severity == ${severity}"\n`;
const input = (decoder: string): string => `[in]\ntype = "FileInput"\npaths = ["/a.log"]\ndecoder = "${decoder}"\n`;
const decoder = (tz: string): string => `[own]\ntype = "SandboxDecoder"\nplugin = "json_lines"\n[own.config]\ntz = "${tz}"\n`;
const output = '[out]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\nencoder = "enc"\n';
const encoder = (prefix: boolean): string => `[enc]\ntype = "SandboxEncoder"\nplugin = "plain_text"\n[enc.config]\nprefix_ts = ${prefix}\n`;

const names = ({ added, removed, changed }: SectionChanges<{ name: string }>) => ({
  added: added.map(({ name }) => name),
  removed: removed.map(({ name }) => name),
  changed: changed.map(({ before, after }) => `${before.name} ${after.name}`),
});

describe('sections', () => {
  it('are new, gone or changed', () => {
    const changes = filterChanges(config(filter('a') + filter('b') + filter('c')), config(filter('b', 4) + filter('c') + filter('d')));
    expect(names(changes)).toEqual({ added: ['d'], removed: ['a'], changed: ['b b'] });
  });

  it('are the same at another place', () => {
    expect(names(filterChanges(config(filter('a') + filter('b')), config(`\n\n${filter('b')}\n${filter('a')}`)))).toEqual({
      ...{ added: [], removed: [], changed: [] },
    });
  });

  it.each<[string, string, string[]]>([
    ['the decoder that they name is changed', input('own') + decoder('+01:00'), ['in in']],
    ['they name another one', input('json_lines') + decoder('UTC'), ['in in']],
    ['nothing is changed', input('own') + decoder('UTC'), []],
  ])('of inputs, where %s', (_what, after, changed) => {
    expect(names(inputChanges(config(input('own') + decoder('UTC')), config(after))).changed).toEqual(changed);
  });

  it('of outputs are changed with their encoders', () => {
    const before = config(output + encoder(true));
    expect(names(outputChanges(before, config(output + encoder(false)))).changed).toEqual(['out out']);
    expect(names(outputChanges(before, config(encoder(true) + output))).changed).toEqual([]);
  });
});

it('what takes effect at the next start is told', () => {
  const before = config('[svcd]\nmax_message_loops = 5\nhostname = "a"\n');
  const after = config('[svcd]\nmax_message_loops = 6\n');
  expect(pendingChanges(before, after)).toEqual(['[svcd] max_message_loops is changed', '[svcd] hostname is removed']);
  expect(pendingChanges(after, after)).toEqual([]);
  expect(pendingChanges(after, config('[svcd]\nmax_message_loops = 6\n[admin]\n'))).toEqual(['[admin] is changed']);
});
