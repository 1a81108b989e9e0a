export { FileInput, type FileStatus } from './file/file-input.ts';
export type { FileInputOptions } from './file/options.ts';
export { parseAddress, type ListenAddress } from './net/address.ts';
export { TcpInput, type TcpInputOptions } from './net/tcp-input.ts';
export { UdpInput, type UdpInputOptions } from './net/udp-input.ts';
export { InputError } from './notices.ts';
export { readRecords, type ReadOptions } from './read.ts';
export { parseSplit, type SplitOptions } from './splitters/index.ts';
export type { Input, InputBatch, InputNotice, InputSink, InputStats } from './types.ts';
