/**
 * Decodes logs of glog and klog, which Kubernetes and many programs of Google's write: `I0305 13:07:59.250000    4123 controller.go:87] Started`.
 *
 * | Part | Becomes |
 * |---|---|
 * | level: I info, W warning, E error, F fatal | Severity: 6, 4, 3, 2 |
 * | date, which is in the zone of tz | Timestamp; it has no year and is one of the last twelve months |
 * | process or thread | Pid |
 * | source file and line | the fields source and source_line |
 * | pairs behind words in quotes, as klog writes them | fields of their names |
 * | the head of a file: its time and machine | Timestamp, Hostname; the Payload has all of it |
 * | the rest | Payload, or the whole record with payload_keep |
 */
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { GLOG } from '../lib/forms/glog_lines.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'glog',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes logs of glog and klog, as Kubernetes writes them.',
  // Libraries in the same process write JSON and pairs.
  split: { before: /[IWEF]\d{4}|\{"|time="?\d{4}-|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/ },
  recordSummary: PROGRAM_SUMMARY,
  looks: [{ records: /^[IWEF](?:\d{4})?\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ [^\s:]+:\d+\] / }],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'a warning',
      in: {
        Payload:
          'W0305 13:07:59.250123       1 reflector.go:324] failed to list *v1.Pod: Get "https://10.96.0.1:443": dial tcp: i/o timeout',
        Timestamp: '1614949680000000000',
      },
      out: {
        Timestamp: '1614949679250123000',
        Severity: 4,
        Pid: 1,
        Payload: 'failed to list *v1.Pod: Get "https://10.96.0.1:443": dial tcp: i/o timeout',
        Fields: { source: 'reflector.go', source_line: 324 },
      },
    },
    {
      title: 'with a year, as glog can write it',
      config: { type: 'glog' },
      in: 'I20210305 13:07:59.250000  4123 main.cc:12] started',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'glog',
        Severity: 6,
        Pid: 4123,
        Payload: 'started',
        Fields: { source: 'main.cc', source_line: 12 },
      },
    },
    {
      title: 'klog, with pairs',
      in: {
        Payload: 'I0305 13:07:59.250000       1 controller.go:116] "Pod updated" pod="default/shop" n=2',
        Timestamp: '1614949680000000000',
      },
      out: {
        Timestamp: '1614949679250000000',
        Severity: 6,
        Pid: 1,
        Payload: 'Pod updated',
        Fields: { source: 'controller.go', source_line: 116, pod: 'default/shop', n: 2 },
      },
    },
    {
      title: 'the head of a file',
      in: 'Log file created at: 2021/03/05 13:07:59\nRunning on machine: box1\nBinary: Built with gc go1.15 for linux/amd64',
      out: {
        Timestamp: '1614949679000000000',
        Hostname: 'box1',
        Payload: 'Log file created at: 2021/03/05 13:07:59\nRunning on machine: box1\nBinary: Built with gc go1.15 for linux/amd64',
      },
    },
    { title: 'words', in: 'Started', fails: 'no level, date and source of glog' },
  ],
};

const decode = patternDecoder(GLOG);

export function process_message(): ProcessStatus {
  return decode();
}
