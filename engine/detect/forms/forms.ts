/** Forms recognised by code rather than patterns, by their names in a meta. */
import type { LookForm } from '../../plugins/types.ts';
import { apacheAccess, nginxAccess } from './access.ts';
import { columns } from './columns.ts';
import { jsonLines } from './json.ts';
import { keyValue, logfmt } from './pairs.ts';
import type { Form } from './types.ts';

export const FORMS: Readonly<Record<LookForm, Form>> = {
  nginx_access: nginxAccess,
  apache_access: apacheAccess,
  json_lines: jsonLines,
  logfmt,
  key_value: keyValue,
  columns,
};
