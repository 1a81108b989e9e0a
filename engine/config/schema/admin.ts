import { z } from 'zod';
import { address } from '../../section/values.ts';

/** Name of the section. */
export const ADMIN_SECTION = 'admin';

/** The options of the `[admin]` section. */
export const adminSchema = z.strictObject({
  address: address
    .default('127.0.0.1:7584')
    .describe(
      'Where to listen. Who can reach it can read the names and figures of all plugins, and nothing else. On an address of this machine alone, ' +
        'requests of web pages and those for another host name get status 403.',
    ),
});

export type AdminConfig = z.output<typeof adminSchema>;
