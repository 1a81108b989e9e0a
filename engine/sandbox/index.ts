export { SandboxEndedError, SandboxHostError, SandboxLoadError } from './errors.ts';
export { SandboxPool, type SandboxPoolOptions } from './pool.ts';
export * from './types.ts';
