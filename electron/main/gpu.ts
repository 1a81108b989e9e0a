import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether there is a GPU that draws (Linux): one of the kernel's, NVIDIA's own driver, or that of Windows (WSL).
 * @param devices the folder of the system's devices
 */
export function hasGpu(devices = '/dev'): boolean {
  return ['nvidiactl', 'dxg'].some((name) => existsSync(join(devices, name))) || hasRenderNode(join(devices, 'dri'));
}

function hasRenderNode(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('renderD'));
}
