/** The columnar byte form of a batch: on the pipe between the engine and the sandbox hosts, and in the record store on disk. */
export { checkBatch, WireError } from '../check.ts';
export { ColumnPlan, newMemory, readHead, type BatchHead, type ReadBytes, type TakeMemory } from './wire-columns.ts';
export { decodeBatch, type WantedColumns } from './wire-decode.ts';
export { byteLengthOf, encodeBatch, hasWideTexts } from './wire-encode.ts';
