import { join } from 'node:path';

interface Installed {
  readonly packaged: boolean;
  /** An AppImage, whose files have another place at each start. */
  readonly mounted: boolean;
  /** The folder with the engine. */
  readonly root: string;
  /** The Node of the engine. */
  readonly node: string;
  readonly platform: NodeJS.Platform;
  /** The folder of the window's data, and the one that the command looks in by itself. */
  readonly data: string;
  readonly usual: string;
}

/** The command by which an assistant's program asks about what the window grants: program and arguments. */
export function assistantCommand({ packaged, mounted, root, node, platform, data, usual }: Installed): string[] {
  const ownNode = [node, join(root, 'engine', 'cli', 'main.ts')];
  const program = packaged && mounted ? ['sluicebox'] : packaged || platform === 'win32' ? ownNode : [join(root, 'bin', 'sluicebox')];
  return [...program, 'mcp', '--window', ...(data === usual ? [] : ['--user-data-dir', data])];
}
