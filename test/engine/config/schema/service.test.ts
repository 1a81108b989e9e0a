import { describe, expect, it } from 'vitest';
import { MOST_PROCESSES, SERVICE_PATHS, serviceSchema } from '../../../../engine/config/schema/service.ts';

describe('serviceSchema', () => {
  it('has what is not said', () => {
    expect(serviceSchema.parse({})).toMatchObject({
      max_message_loops: 4,
      max_process_inject: 1,
      max_timer_inject: 10,
      max_message_size: 65_536,
      bundled_in_hosts: false,
    });
    expect(serviceSchema.parse({ max_message_loops: 0 }).max_message_loops).toBe(1);
  });

  it.each<[value: object, path: string]>([
    [{ max_message_size: 1024 }, 'max_message_size'],
    [{ poolsize: 0 }, 'poolsize'],
    [{ log_flags: 4 }, 'log_flags'],
    [{ maxprocs: 0 }, 'maxprocs'],
    [{ max_pack_idle: 'soon' }, 'max_pack_idle'],
    [{ hostname: 7 }, 'hostname'],
    [{ unknown: 1 }, ''],
  ])('%j is wrong', (value, path) => {
    expect(serviceSchema.safeParse(value).error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });

  it('has as many processes as gain something', () => {
    expect(serviceSchema.parse({ maxprocs: MOST_PROCESSES }).maxprocs).toBe(MOST_PROCESSES);
    const [issue] = serviceSchema.safeParse({ maxprocs: MOST_PROCESSES + 1 }).error?.issues ?? [];
    expect(issue?.message).toBe(
      `must be at most ${MOST_PROCESSES} on this machine, not ${MOST_PROCESSES + 1}: more than 4 for each core only take memory`,
    );
  });

  it('has the options that are paths', () => {
    expect(serviceSchema.safeParse(Object.fromEntries(SERVICE_PATHS.map((name) => [name, 'a/b']))).success).toBe(true);
  });
});
