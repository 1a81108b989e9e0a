import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { wrongSectionPaths, wrongServicePaths } from '../../../../engine/service/check/check-paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-paths-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
writeFileSync(at('file'), '');
mkdirSync(at('sub'));

describe('paths of the service', () => {
  const found = (service: object) =>
    wrongServicePaths(service as never, 'service').map(({ path, text }) => [path.join('.'), text.replaceAll(folder, '~')]);

  it('are right', () => {
    expect(found({ share_dir: folder, base_dir: at('new/deep'), pid_file: at('pid'), cpuprof: at('file') })).toEqual([]);
    expect(found({})).toEqual([]);
  });

  it.each([
    [{ share_dir: at('none') }, [['share_dir', 'there is no folder ~/none: make it, or correct the path']]],
    [{ share_dir: at('file') }, [['share_dir', '~/file is not a folder']]],
    [{ base_dir: at('file/x') }, [['base_dir', '~/file is a file, not a folder']]],
    [{ pid_file: at('sub') }, [['pid_file', '~/sub is a folder: name a file in it']]],
    [{ pid_file: at('none/pid') }, [['pid_file', 'there is no folder ~/none: make it, or correct the path']]],
    [{ memprof: at('file/x') }, [['memprof', '~/file is not a folder']]],
  ])('%j', (service, findings) => expect(found(service)).toEqual(findings));
});

describe('paths of a section', () => {
  const found = async (type: string, table: object) =>
    (await wrongSectionPaths({ name: 's', type, table } as never)).map(({ path, code, text }) => [
      path.join('.'),
      code,
      text.replaceAll(folder, '~'),
    ]);

  it.each([
    ['FileOutput', { path: at('new/deep/file') }],
    ['FileOutput', { path: at('file') }],
    ['FileOutput', { path: at('new/%Y/%m'), rotation_interval: 1 }],
    ['FileOutput', { path: '' }],
    ['ParquetOutput', { path: at('new/lake') }],
    ['FileInput', { path: at('sub') }],
    ['TcpOutput', { tls: { cert_file: at('none') } }],
  ])('%s %j is right', async (type, table) => expect(await found(type, table)).toEqual([]));

  it.each([
    ['FileOutput', { path: at('sub') }, 'path', '~/sub is a folder: name a file in it'],
    ['ParquetOutput', { path: at('file') }, 'path', '~/file is a file, not a folder'],
    ['FileOutput', { path: at('file/x') }, 'path', '~/file is a file, not a folder'],
    ['FileOutput', { path: at('file/%Y'), rotation_interval: 1 }, 'path', '~/file is a file, not a folder'],
    ['SandboxOutput', { target: { type: 'FileOutput', path: at('sub') } }, 'target.path', '~/sub is a folder: name a file in it'],
  ])('%s %j', async (type, table, path, text) => expect(await found(type, table)).toEqual([[path, 'config.path', text]]));

  it.skipIf(process.platform !== 'linux')('in file systems of the kernel cannot be made', async () => {
    const text = 'it cannot be made: the folder /proc cannot be written to';
    expect(await found('FileOutput', { path: '/proc/new/file' })).toEqual([['path', 'config.path', text]]);
  });

  it('of TLS, where it is used', async () => {
    const [finding] = await found('TcpOutput', { use_tls: true, tls: { cert_file: at('none') } });
    expect(finding).toEqual(['tls.cert_file', 'tls.file', expect.stringContaining('~/none')]);
  });
});
