import { describe, expect, it } from 'vitest';
import { envoyLogFormat } from '../../../../plugins/lib/access/envoy_log_format.ts';
import { shownItems } from '../../support/field_types.ts';

const shown = (format: string): string => shownItems(envoyLogFormat(format)).join('');

describe('envoyLogFormat', () => {
  it.each<[format: string, items: string]>([
    ['[%START_TIME%] %RESPONSE_CODE%', '[<time>] <status>'],
    ['%START_TIME(%s.%3f)% %PROTOCOL%', '<time> <server_protocol>'],
    ['"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%"\\n', '"<request_method> <request_uri>"'],
    ['%REQ(X-A?X-B)% %RESP(Server):32% %TRAILER(grpc-status)%', '<http_x_a> <sent_http_server> <sent_trailer_grpc_status>'],
    ['%req(:method)% %RESP(x-envoy-upstream-service-time)%', '%req(:method)% <upstream_response_time>'],
    ['%DYNAMIC_METADATA(istio.mixer:status)% %ROUTE_NAME%', '<dynamic_metadata_istio_mixer_status> <route_name>'],
    ['100%% of %DURATION%', '100% of <request_time>'],
    ['%UPSTREAM_HOST%\\t%DOWNSTREAM_REMOTE_ADDRESS%', '<upstream_addr>\t<remote>'],
  ])('%s', (format, items) => expect(shown(format)).toBe(items));

  it.each<[name: string, begin: string, fields: number]>([
    ['default', '[<time>] "<request_method> <request_uri> <server_protocol>" <status> <response_flags> ', 15],
    ['istio', '[<time>] "<request_method> <request_uri> <server_protocol>" <status> <response_flags> <response_code_details> ', 24],
    ['istio_1_5', '[<time>] "<request_method> <request_uri> <server_protocol>" <status> <response_flags> "<dynamic_metadata_', 23],
    ['istio_1_3', '[<time>] "<request_method> <request_uri> <server_protocol>" <status> <response_flags> "<dynamic_metadata_', 22],
  ])('knows %s', (name, begin, fields) => {
    expect(shown(name).slice(0, begin.length)).toBe(begin);
    expect(envoyLogFormat(name).filter(({ kind }) => kind === 'field')).toHaveLength(fields);
  });

  it.each<[format: string, reason: string]>([
    ['', 'log_format is empty'],
    ['\\n', 'log_format is empty'],
    ['words alone', 'log_format has no operator such as %START_TIME%: words alone'],
    ['$remote_addr', 'log_format has no operator such as %START_TIME%: $remote_addr'],
  ])('%j is none', (format, reason) => expect(() => envoyLogFormat(format)).toThrow(reason));
});
