import { expect, it } from 'vitest';
import { decodeAll, decoder } from '../support/decode.ts';
import { AT, reads } from '../support/reads.ts';
import { startPlugin } from '../support/sandbox.ts';

const MS = 1614949679250;
const EVENT = { log_stream: 's', ingestion_time: [MS + 1, 'ms'], event_id: '36' };

reads('aws_cloudwatch', {}, [
  [
    `{"timestamp":${MS},"message":"up\\n","logStreamName":"s","ingestionTime":${MS + 1},"eventId":"36"}`,
    { ...AT, ...EVENT, Payload: 'up' },
  ],
  // Of an indented list: the first event, one between, and the last.
  [
    `        {\n            "logStreamName": "s",\n            "timestamp": ${MS},\n            "message": "ERROR: a",\n            "ingestionTime": ${MS + 1},\n            "eventId": "36"\n        },`,
    { ...AT, ...EVENT, Severity: 3, Payload: 'ERROR: a' },
  ],
  [
    `        {\n            "timestamp": ${MS},\n            "message": "a}"\n        }\n    ],\n    "searchedLogStreams": []\n}`,
    { ...AT, Payload: 'a}' },
  ],
  ['{"timestamp":"2021-03-05T13:07:59.250Z","message":"up"}', { ...AT, Payload: 'up' }],
  [
    `EVENTS\t${'3'.repeat(56)}\t${MS + 1}\ts\ta\tb\t${MS}`,
    { ...AT, log_stream: 's', event_id: '3'.repeat(56), ingestion_time: [MS + 1, 'ms'], Payload: 'a\tb' },
  ],
  [`EVENTS\t${MS + 1}\tup\t${MS}`, { ...AT, ingestion_time: [MS + 1, 'ms'], Payload: 'up' }],
  ['2021-03-05T13:07:59.250000+00:00 web/7f9c2d3e up', { ...AT, log_stream: 'web/7f9c2d3e', Payload: 'up' }],
  ['{"messageType":"CONTROL_MESSAGE","logEvents":[{"id":"","timestamp":1,"message":"x"}]}', 'passed on'],
  ['{"timestamp":true,"message":"up"}', 'refused: no event of CloudWatch Logs'],
  ['{"timestamp":1,"message":"cut', 'refused: no event of CloudWatch Logs'],
  ['words', 'refused: no event of CloudWatch Logs'],
]);

it('makes a message of each event of a list', () => {
  const list = `{"events":[{"timestamp":${MS},"message":"a"},7,{"message":"no time"},{"timestamp":${MS},"message":"{\\"msg\\":\\"b\\",\\"n\\":1}"}]}`;
  expect(decodeAll(startPlugin('decoders/aws_cloudwatch.ts'), list)).toEqual([
    { ...AT, Payload: 'a' },
    { ...AT, Payload: 'b', n: 1 },
  ]);
});

it('keeps the record, and opens nothing, as it is told', () => {
  const line = `{"timestamp":${MS},"message":"level=warn msg=slow"}`;
  expect(decoder('aws_cloudwatch', { payload_keep: true })(line)).toMatchObject({ Payload: line, Severity: 4 });
  expect(decoder('aws_cloudwatch', { unwrap: false })(line)).toMatchObject({ Payload: 'level=warn msg=slow', Severity: 4 });
});
