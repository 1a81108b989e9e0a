import { z } from 'zod';
import { headerName, oneLine } from '../../section/values.ts';

/** A text, or several for a header that comes more than once. */
export const headers = z
  .record(
    headerName,
    z.union([oneLine.transform((one) => [one]), z.array(oneLine)], {
      error: 'must be a text of one line, or a list of such texts',
    }),
  )
  .prefault({})
  .meta({ shown: 'table of texts or lists' });
