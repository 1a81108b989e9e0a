import { z } from 'zod';
import { headerName, headerValue } from '../../section/values.ts';

/** A text, or several for a header that comes more than once. */
export const headers = z
  .record(
    headerName,
    z.union([headerValue.transform((one) => [one]), z.array(headerValue)], {
      error: 'must be a text of one line with characters of Latin-1, or a list of such texts',
    }),
  )
  .prefault({})
  .meta({ shown: 'table of texts or lists' });
