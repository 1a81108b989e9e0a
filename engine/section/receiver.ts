import { z } from 'zod';
import { bytes, count, flag, matcher, text } from './values.ts';

/** Parameters of filters and outputs. */

export const matching = {
  message_matcher: matcher.describe('Which messages it receives, see [matcher.md](../matcher.md).'),
};

/** Limits of a disk buffer, with the defaults of an output. */
export const buffering = ({ maxFileSize = 536_870_912, cursorUpdateCount = 1 } = {}) =>
  z.strictObject({
    max_file_size: bytes
      .default(maxFileSize)
      .describe(
        'A new file is begun when the next message would exceed this size, which must be that of the largest message at least. 0: no limit.',
      ),
    max_buffer_size: bytes
      .default(0)
      .describe(
        'Size of the waiting messages. The files may take up to a quarter more, until the first of them is delivered. 0: no limit.',
      ),
    full_action: z
      .enum(['shutdown', 'drop', 'block'])
      .default('shutdown')
      .describe(
        'Action when the disk buffer is full or cannot be written. `shutdown`: the service stops with exit code 1. `drop`: new messages ' +
          'are lost and counted. `block`: the inputs wait.',
      ),
    cursor_update_count: count
      .default(cursorUpdateCount)
      .describe(
        'The checkpoint is written when more than this number of messages were delivered since the last time. After a crash, these may be ' +
          'delivered again.',
      ),
  });

/** Parameters of filters and outputs, scripts and built-in ones alike. */
export const receiver = {
  message_signer: text.optional().describe('Receive only messages that are signed by this name.'),
  use_buffering: flag
    .default(false)
    .describe(
      'Keep messages in a disk buffer, below `output_queue` in `base_dir`, until they are processed. So none is lost when the service or its ' +
        'target fails.',
    ),
  buffering: buffering().prefault({}).describe('Limits of the disk buffer.'),
};

/** The same for outputs that leave the machine: these are buffered unless they say otherwise. */
export const remoteReceiver = {
  ...receiver,
  use_buffering: receiver.use_buffering
    .unwrap()
    .default(true)
    .describe(receiver.use_buffering.description ?? ''),
};
