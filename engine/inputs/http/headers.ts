import { z } from 'zod';
import { text } from '../../section/values.ts';

/** A text, or several for a header that comes more than once. */
export const headers = z
  .record(z.string().min(1), z.union([text.transform((one) => [one]), z.array(text)]))
  .prefault({})
  .meta({ shown: 'table of texts or lists' });
