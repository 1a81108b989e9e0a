export { DiskQueue, type DiskQueueOptions, type QueueChunk } from './disk-queue.ts';
export { encodeRecord, MAX_MESSAGE_BYTES, type QueueRecord } from './record.ts';
export { bytesLeft } from './state.ts';
