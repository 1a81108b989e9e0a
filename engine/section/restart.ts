import { z } from 'zod';
import { duration } from './values.ts';

/** Waits between attempts. */
export const retries = z.strictObject({
  max_delay: duration.prefault('30s').describe('Longest wait.'),
  delay: duration.prefault('250ms').describe('First wait; each further one takes twice as long.'),
  max_jitter: duration.prefault('500ms').describe('A random time up to this is added to each wait.'),
  max_retries: z.int().min(-1).default(-1).describe('Number of attempts. -1: no limit.'),
});

/** Parameters of everything that can be started again. */
export const restart = {
  retries: retries.prefault({}).describe('Waits before a plugin that failed is started again.'),
};
