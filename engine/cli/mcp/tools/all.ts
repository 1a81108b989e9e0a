import type { Tool } from '../tool.ts';
import { around } from './around.ts';
import { detect } from './detect.ts';
import { difference } from './difference.ts';
import { listFiles } from './list-files.ts';
import { measure } from './measure.ts';
import { patterns } from './patterns.ts';
import { query } from './query.ts';
import { record } from './record.ts';
import { schema } from './schema.ts';
import { search } from './search.ts';

/** All tools, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [listFiles, detect, schema, search, patterns, difference, around, record, measure, query];
