import { describe, expect, it } from 'vitest';
import { AWS_FORMATS, type AwsService } from '../../../../plugins/lib/access/aws_formats.ts';
import { written } from '../../support/field_types.ts';

describe('AWS_FORMATS', () => {
  it.each<[service: AwsService, values: number, needed: number, time: number]>([
    ['elb', 15, 12, 0],
    ['alb', 33, 14, 1],
    ['nlb', 22, 16, 2],
    ['s3', 26, 17, 2],
  ])('%s has %i values', (service, values, needed, time) => {
    const { places, needed: least } = AWS_FORMATS[service];
    const names = places().map(({ name }) => name);
    expect([names.length, least, names.indexOf('time'), new Set(names).size]).toEqual([values, needed, time, values]);
    expect(
      places()
        .filter(({ type }) => type.required)
        .map(({ name }) => name),
    ).toEqual(['time']);
  });

  it('gives each decoder a date of its own', () => {
    const [one, other] = [AWS_FORMATS.elb.places()[0]?.type, AWS_FORMATS.elb.places()[0]?.type];
    expect(one).not.toBe(other);
  });

  it.each<[name: string, value: string, calls: unknown[] | null]>([
    ['request_processing_time', '0.000043', [['request_processing_time (s)', 0.000043]]],
    ['request_processing_time', '-1', [['request_processing_time (s)', -1]]],
    ['request_processing_time', '7', [['request_processing_time (s)', 7]]],
    ['request_processing_time', '-', null],
    ['status', '200', [['status', 200]]],
    ['bytes_sent', '57', [['bytes_sent (B)', 57]]],
    [
      'remote',
      '192.0.2.1:2817',
      [
        ['remote_addr (ipv4)', '192.0.2.1'],
        ['remote_port', 2817],
      ],
    ],
    ['request', 'GET http://x/ HTTP/1.1', [['request', 'GET http://x/ HTTP/1.1']]],
    ['ssl_cipher', '-', null],
    ['ssl_cipher', '', null],
  ])('elb: %s %j', (name, value, calls) => {
    const type = AWS_FORMATS.elb.places().find((place) => place.name === name)?.type;
    expect(type && written(type, value, name)).toEqual(calls);
  });
});
