import { describe, expect, it } from 'vitest';
import { hitsOf, ruleOf, type Record } from './records.ts';

describe('log sources', () => {
  const web = { remote_addr: '192.0.2.1', request: 'GET /a/b.php?id=1%27 HTTP/1.1', status: 404, http_user_agent: 'sqlmap/1' };
  const windows = { EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', Image: String.raw`C:\x\whoami.exe` };
  it.each([
    ['category: webserver', "cs-method: 'GET'\ncs-uri-stem|endswith: '.php'\nc-uri-query: 'id=1%27'", web, true],
    ['category: webserver', "cs-uri-query|startswith: '/a/'\nsc-status: 404\nc-uri-extension: php", web, true],
    ['category: webserver', "cs-version: 'HTTP/1.1'\nc-useragent|contains: sqlmap", web, true],
    ['product: apache\nservice: access', 'c-ip: 192.0.2.1', web, true],
    ['category: proxy', "c-uri|contains: 'a'", web, false],
    ['category: proxy', "cs-host: 'evil.example'", { ...web, request: 'GET http://evil.example:80/x HTTP/1.1' }, true],
    ['category: proxy', "cs-host: 'evil.example'", { cache_status: 'TCP_MISS', request_uri: 'evil.example:443', status: 200 }, true],
    ['product: linux\nservice: sshd', "message|contains: 'root'", { programname: 'sshd' }, true],
    ['product: linux\nservice: cron', "message|contains: 'root'", { programname: 'sshd' }, false],
    ['product: linux\nservice: auditd', "type: EXECVE\na0: 'cat'", { event: 1, type: 'EXECVE', a0: 'cat', argc: 1 }, true],
    [
      'product: linux\ncategory: process_creation',
      "CommandLine: 'cat /x'",
      { event: 1, type: 'EXECVE', a0: 'cat', a1: '/x', argc: 2 },
      true,
    ],
    ['product: windows\ncategory: process_creation', String.raw`Image|endswith: '\whoami.exe'`, windows, true],
    ['product: windows\ncategory: process_creation', String.raw`Image|endswith: '\whoami.exe'`, { ...windows, EventID: 7 }, false],
    [
      'product: windows\ncategory: process_creation',
      String.raw`Image|endswith: '\whoami.exe'`,
      { EventID: 4688, Channel: 'Security', NewProcessName: windows.Image },
      true,
    ],
    ['product: windows\nservice: security', 'EventID: 4625', { EventID: 4625, Channel: 'Security' }, true],
    ['product: windows\nservice: security', 'EventID: 4625', { EventID: 4625, Channel: 'System' }, false],
    [
      'product: aws\nservice: cloudtrail',
      'requestParameters.attribute: userData',
      { eventName: 'x', eventSource: 'y', requestParameters: { json: { attribute: 'userData' } } },
      true,
    ],
    [
      'product: kubernetes\nservice: audit',
      "hostPath: '*'",
      { verb: 'create', stage: 'x', requestObject: { json: { a: [{ hostPath: { path: '/' } }] } } },
      true,
    ],
    ['category: dns', "query|endswith: '.onion'", { event_type: 'dns', src_ip: '192.0.2.1', 'dns.rrname': 'a.onion' }, true],
    ['category: firewall', 'dst_port: 22', { mnemonic: '1', dst_port: 22 }, true],
    ['product: azure\nservice: signinlogs', 'ResultType: 50097', { ResultType: 50097 }, true],
    ['category: webserver', "cs-host: 'x'", { 'cs-host': 'x' }, true],
  ] as const)('%j: %s', (source, search, fields, expected) => {
    const record = { payload: 'of root', fields } as Record;
    expect(hitsOf(ruleOf(`sel:\n${search.replaceAll(/^/gm, '    ')}\ncondition: sel`, source), [record]).length > 0).toBe(expected);
  });

  it('looks at the records of one audit event together, and at no other log for what is not there', () => {
    const process = ruleOf(
      "sel:\n    Image|endswith: '/cat'\n    CommandLine|contains: 'shadow'\ncondition: sel",
      'product: linux\ncategory: process_creation',
    );
    const event = (number: number, fields: Record['fields']): Record => ({ fields: { event: number, ...fields } });
    const records = [
      event(1, { type: 'SYSCALL', exe: '/bin/cat' }),
      event(1, { type: 'PROCTITLE', proctitle: 'cat /etc/shadow' }),
      event(2, { type: 'SYSCALL', exe: '/bin/cat' }),
      event(3, { type: 'PROCTITLE', proctitle: 'cat /etc/shadow' }),
    ];
    expect(hitsOf(process, records)).toEqual(['0 A rule']);
    expect(hitsOf(ruleOf('sel:\n    a: 1\ncondition: not sel'), records.concat({ payload: 'x' }))).toEqual([]);
  });
});
