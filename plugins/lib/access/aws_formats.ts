/** Access logs of services of Amazon, as their documentation lists the values of a line. New values come at the end. */
import { ENDPOINT, timeIn, wholeValue } from './service_fields.ts';
import { quantityCode, VALUE_CODE } from '../format/field_code.ts';
import { CLIENT, INTEGER, STATUS, numberField, textField, type FieldType } from '../format/log_fields.ts';
import { decimal, decimalIn, digits, integerIn, type Scan } from '../../base/scan.ts';
import type { LinePlace } from './value_line.ts';

/** The lines of one service. */
export interface AwsFormat {
  /** Number of values in the lines of the oldest version. */
  readonly needed: number;
  readonly places: () => readonly LinePlace[];
}

const DASH = 45;

/** Anything but a lone `-`, and nothing. */
const word: Scan = (text, at, end) => (end - at > 1 || (end > at && text.charCodeAt(at) !== DASH) ? end : -1);
const TEXT: FieldType = { ...textField(word), code: VALUE_CODE };
/** A number with or without a point; -1 stands for what did not come to pass. */
const quantity: Scan = (text, at, end) => {
  const from = text.charCodeAt(at) === DASH ? at + 1 : at;
  const to = decimal(text, from, end);
  return to < 0 ? digits(text, from, end) : to;
};
function numberIn(text: string, from: number, to: number): number {
  if (text.charCodeAt(from) === DASH) return Number(text.slice(from, to));
  return digits(text, from, to) === to ? integerIn(text, from, to) : decimalIn(text, from, to);
}
function inUnit(unit: string): FieldType {
  const field = numberField(quantity, numberIn, unit);
  return { ...field, code: quantityCode(field.scan, field.write) };
}
const SECONDS = inUnit('s');
const MILLISECONDS = inUnit('ms');
const BYTES = inUnit('B');

type Types = Readonly<Record<string, FieldType>>;

/** Dates keep what they read, so each decoder gets its own. */
const withTime = (types: () => Types) => (): LinePlace[] => Object.entries(types()).map(([name, type]) => ({ name, type }));

const TIMES = { request_processing_time: SECONDS, target_processing_time: SECONDS, response_processing_time: SECONDS };
const TRAFFIC = { status: INTEGER, upstream_status: INTEGER, request_length: BYTES, bytes_sent: BYTES };
const REQUEST = { request: TEXT, http_user_agent: TEXT, ssl_cipher: TEXT, ssl_protocol: TEXT };

export type AwsService = 'elb' | 'alb' | 'nlb' | 's3';

export const AWS_FORMATS: Readonly<Record<AwsService, AwsFormat>> = {
  elb: {
    needed: 12,
    places: withTime(() => ({
      time: timeIn(wholeValue),
      elb: TEXT,
      remote: ENDPOINT,
      upstream: ENDPOINT,
      ...TIMES,
      ...TRAFFIC,
      ...REQUEST,
    })),
  },
  alb: {
    needed: 14,
    places: withTime(() => ({
      type: TEXT,
      time: timeIn(wholeValue),
      elb: TEXT,
      remote: ENDPOINT,
      upstream: ENDPOINT,
      ...TIMES,
      ...TRAFFIC,
      ...REQUEST,
      target_group_arn: TEXT,
      trace_id: TEXT,
      domain_name: TEXT,
      chosen_cert_arn: TEXT,
      matched_rule_priority: INTEGER,
      request_creation_time: TEXT,
      actions_executed: TEXT,
      redirect_url: TEXT,
      error_reason: TEXT,
      target_port_list: TEXT,
      target_status_code_list: TEXT,
      classification: TEXT,
      classification_reason: TEXT,
      conn_trace_id: TEXT,
      transformed_host: TEXT,
      transformed_uri: TEXT,
      request_transform_status: TEXT,
    })),
  },
  nlb: {
    needed: 16,
    places: withTime(() => ({
      type: TEXT,
      version: TEXT,
      time: timeIn(wholeValue),
      elb: TEXT,
      listener: TEXT,
      remote: ENDPOINT,
      upstream: ENDPOINT,
      connection_time: MILLISECONDS,
      tls_handshake_time: MILLISECONDS,
      request_length: BYTES,
      bytes_sent: BYTES,
      incoming_tls_alert: TEXT,
      chosen_cert_arn: TEXT,
      chosen_cert_serial: TEXT,
      ssl_cipher: TEXT,
      ssl_protocol: TEXT,
      tls_named_group: TEXT,
      domain_name: TEXT,
      alpn_fe_protocol: TEXT,
      alpn_be_protocol: TEXT,
      alpn_client_preference_list: TEXT,
      tls_connection_creation_time: TEXT,
    })),
  },
  s3: {
    needed: 17,
    places: withTime(() => ({
      bucket_owner: TEXT,
      bucket: TEXT,
      time: timeIn(wholeValue),
      remote_addr: CLIENT,
      requester: TEXT,
      request_id: TEXT,
      operation: TEXT,
      key: TEXT,
      request: TEXT,
      status: STATUS,
      error_code: TEXT,
      bytes_sent: BYTES,
      object_size: BYTES,
      request_time: MILLISECONDS,
      turn_around_time: MILLISECONDS,
      http_referer: TEXT,
      http_user_agent: TEXT,
      version_id: TEXT,
      host_id: TEXT,
      signature_version: TEXT,
      ssl_cipher: TEXT,
      authentication_type: TEXT,
      host: TEXT,
      ssl_protocol: TEXT,
      access_point_arn: TEXT,
      acl_required: TEXT,
    })),
  },
};
