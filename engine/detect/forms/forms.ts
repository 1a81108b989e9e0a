/** The forms that take more than patterns, by the names that a meta has for them. */
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
