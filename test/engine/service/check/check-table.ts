import { MOST_PROCESSES } from '../../../../engine/config/schema/service.ts';

/** Parts of configurations. */
const IN = '[in]\ntype = "UdpInput"\naddress = "127.0.0.1:5514"\n';
const script = (filename: string, more = ''): string =>
  `${IN}[f]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nfilename = "${filename}"\n${more}`;
const bundled = (kind: 'Decoder' | 'Filter' | 'Encoder', plugin: string, config: string, more = ''): string =>
  `${IN}[p]\ntype = "Sandbox${kind}"\n${kind === 'Filter' ? 'message_matcher = "TRUE"\nticker_interval = 5\n' : ''}plugin = "${plugin}"\n${more}[p.config]\n${config}`;
const utf16 = Uint8Array.from(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(IN, 'utf16le')]));
const LONG = 'n'.repeat(201);
const output = (name: string, more: string): string =>
  `["${name}"]\ntype = "FileOutput"\npath = "/F/out"\nmessage_matcher = "TRUE"\n${more}\n`;
const decoded = (name: string, port: number): string => `[${name}]\ntype = "UdpInput"\naddress = "127.0.0.1:${port}"\ndecoder = "d"\n`;
const ONLY_WORDS = 'because only letters from a to z, digits and _ count for that (rename one of them)';

/** Configurations with all their problems: what it is, its text, and `LINE CODE SENTENCE` for each problem. */
export const TABLE: readonly (readonly [title: string, text: string | Uint8Array, problems: readonly string[]])[] = [
  ['that is right', `${IN}[out]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\n`, []],
  [
    'with a subject that is for reading, and a name of two lines',
    `${IN}[up]\ntype = "NatsOutput"\nmessage_matcher = "TRUE"\nsubject = "logs.>"\nedge = "a\\nb"\n`,
    [
      '7 config.parameter [up] subject: must have no * and no >: those are for reading',
      '8 config.parameter [up] edge: must be one line without control characters',
    ],
  ],
  [
    'with files of a buffer that the largest message does not fit in',
    `[svcd]\nmax_message_size = 2000\n${IN}${output('a', 'use_buffering = true\nbuffering.max_file_size = 2257')}${output('b', 'use_buffering = true\nbuffering.max_file_size = 2258')}`,
    ['11 config.parameter [a] buffering.max_file_size: must be at least 2258, the largest message with its header, not 2257'],
  ],
  ['with files of a buffer of any size', IN + output('a', 'use_buffering = true\nbuffering.max_file_size = 0'), []],
  ['with small files of a buffer that is not used', IN + output('a', 'buffering.max_file_size = 1'), []],
  ['with names that differ as those of files do', IN + output('a-b', 'use_buffering = true') + output('a_c', 'use_buffering = true'), []],
  ['with names that differ in part, where nothing is kept', IN + output('a-b', '') + output('a_b', ''), []],
  [
    'with two buffers in one place',
    IN + output('a-b', 'use_buffering = true') + output('a_b', 'use_buffering = true'),
    [`9 config.section [a_b]: its buffer would be in the same place as that of [a-b], ${ONLY_WORDS}`],
  ],
  [
    'with what two outputs keep of their own in one place',
    `[svcd]\nbase_dir = "/F/new"\n${IN}${output('\u65e5\u5fd7', '')}${output('\u544a\u8b66', '')}`,
    [`11 config.section [\u544a\u8b66]: its buffer would be in the same place as that of [\u65e5\u5fd7], ${ONLY_WORDS}`],
  ],
  [
    'with two states in one place',
    script('good.js', 'preserve_data = true\n').replace('[f]', '["f."]') +
      script('good.js', 'preserve_data = true\n').replace(IN, '').replace('[f]', '["f-"]'),
    [`9 config.section [f-]: its preserved data would be in the same place as that of [f.], ${ONLY_WORDS}`],
  ],
  [
    'with the states of two decoders in one place',
    `${decoded('a-b', 5514)}${decoded('a_b', 5515)}[d]\ntype = "SandboxDecoder"\nfilename = "good.js"\npreserve_data = true\n`,
    [`5 config.section [a_b]: its preserved data would be in the same place as that of [a-b], ${ONLY_WORDS}`],
  ],
  ['without anything', '', ['0 config.empty is empty: it has no section']],
  ['of comments', '# nothing\n', ['0 config.empty is empty: it has no section']],
  [
    'without inputs',
    '[out]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\n',
    ['0 config.empty there is no input, so there is nothing to do: add a section such as a FileInput'],
  ],
  [
    'of which the only input has a type that there is not',
    '[in]\ntype = "FileInpt"\npaths = ["a.log"]\n',
    ['2 config.section [in] type: "FileInpt" is not a type of section (did you mean FileInput?)'],
  ],
  [
    'with the options of the service under another name',
    `${IN}[hekad]\nmaxprocs = 2\n`,
    ['4 config.section [hekad]: has no type (the options of the service stand in [svcd])'],
  ],
  ['in UTF-16', utf16, ['0 config.unreadable is UTF-16 (save it as UTF-8)']],
  ['in UTF-16 without a mark', Uint8Array.from(Buffer.from(IN, 'utf16le')), ['0 config.unreadable is UTF-16 (save it as UTF-8)']],
  [
    'in Latin-1',
    Uint8Array.from(Buffer.from(`${IN}# caf\u00e9\n`, 'latin1')),
    ['4 config.unreadable is not valid UTF-8 (save the file as UTF-8)'],
  ],
  ['with a NUL', `${IN}# \0\n`, ['4 config.unreadable is not text: it has a NUL byte']],
  [
    'with an unclosed section',
    `[in\ntype = "UdpInput"\n`,
    ['1 config.syntax is not valid TOML in column 4: the name of the section is not closed: [in] is meant'],
  ],
  [
    'with an unclosed list of tables',
    `${IN}[[tests\ntitle = "x"\n`,
    ['4 config.syntax is not valid TOML in column 8: the name of the section is not closed: [[tests]] is meant'],
  ],
  [
    'with a section twice',
    `${IN}[in]\ntype = "TcpInput"\n`,
    ['4 config.syntax is not valid TOML in column 2: the section [in] is there already, in line 1: put both together'],
  ],
  [
    'with a parameter twice',
    `${IN}net = "udp"\nnet = "udp4"\n`,
    ['5 config.syntax is not valid TOML in column 1: net is set already, in line 4'],
  ],
  [
    'with several syntax errors, and others',
    `[a]\ntype = = 1\n[b]\ntype = "FileInput"\n[c\n[d]\nx = "\n`,
    [
      '2 config.syntax is not valid TOML in column 8: invalid value',
      '3 config.parameter [b] paths: is required',
      '5 config.syntax is not valid TOML in column 3: the name of the section is not closed: [c] is meant',
      '7 config.syntax is not valid TOML in column 6: control characters are not allowed in strings',
    ],
  ],
  [
    'with a reference to a broken section',
    `[in]\ntype = "UdpInput"\naddress = "127.0.0.1:1"\ndecoder = "d"\n[d]\ntype = SandboxDecoder\n`,
    ['6 config.syntax is not valid TOML in column 8: invalid value'],
  ],
  [
    'with an unset variable',
    `${IN}[f]\ntype = "SandboxFilter"\nplugin = "%ENV[SLUICEBOX_UNSET]"\nmessage_matcher = "TRUE"\n`,
    ['6 config.parameter [f] plugin: must not be empty (%ENV[SLUICEBOX_UNSET] is not set)'],
  ],
  [
    'with an unset variable as a number',
    `${IN}[svcd]\nmaxprocs = %ENV[SLUICEBOX_UNSET]\n`,
    ['5 config.syntax is not valid TOML in column 12: invalid value (%ENV[SLUICEBOX_UNSET] is not set)'],
  ],
  [
    'with a parameter outside of sections',
    `x = 1\n${IN}`,
    ['1 config.section x: stands outside of all sections (a section begins with its name in brackets)'],
  ],
  [
    'with sections of no type',
    `${IN}[a]\nx = 1\n[b]\ntype = "UdpInptu"\n`,
    [
      '4 config.section [a]: has no type (known are FileInput, UdpInput, TcpInput, FilePollingInput, ProcessInput, HttpListenInput, HttpInput, OtlpInput, FluentForwardInput, BeatsInput, RelpInput, NatsInput, StatsdInput, StatAccumInput, SandboxInput, SandboxDecoder, SandboxFilter, SandboxManagerFilter, RulesFilter, SandboxEncoder, SandboxOutput, LogOutput, FileOutput, ParquetOutput, TcpOutput, UdpOutput, HttpOutput, SmtpOutput, ElasticSearchOutput, OtlpOutput, NatsOutput)',
      '7 config.section [b] type: "UdpInptu" is not a type of section (did you mean UdpInput?)',
    ],
  ],
  [
    'with a long name',
    `[${LONG}]\ntype = "UdpInput"\naddress = "127.0.0.1:5514"\n`,
    [
      '1 config.section [nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn]: the name of the section has 201 bytes: files are named by it, so it may have at most 200',
    ],
  ],

  [
    'whose service has wrong paths',
    `[svcd]\nshare_dir = "/F/none"\nbase_dir = "/F/file.txt"\npid_file = "/F/none/pid"\ncpuprof = "/F/modules"\nmemprof = "/F/file.txt/x"\nmaxprocs = 100000\n${IN}`,
    [
      '2 config.path [svcd] share_dir: there is no folder /F/none: make it, or correct the path',
      '3 config.path [svcd] base_dir: /F/file.txt is a file, not a folder',
      '4 config.path [svcd] pid_file: there is no folder /F/none: make it, or correct the path',
      '5 config.path [svcd] cpuprof: /F/modules is a folder: name a file in it',
      '6 config.path [svcd] memprof: /F/file.txt is not a folder',
      `7 config.parameter [svcd] maxprocs: must be at most ${MOST_PROCESSES} on this machine, not 100000: more than 4 for each core only take memory`,
    ],
  ],
  [
    'whose base_dir is below a file',
    `[svcd]\nbase_dir = "/F/file.txt/data"\n${IN}`,
    ['2 config.path [svcd] base_dir: /F/file.txt is a file, not a folder'],
  ],
  [
    'with ports that are taken',
    `${IN}[a]\ntype = "UdpInput"\naddress = "0.0.0.0:5514"\n[b]\ntype = "StatsdInput"\naddress = ":5514"\n[c]\ntype = "TcpInput"\naddress = "127.0.0.1:5514"\n[d]\ntype = "HttpListenInput"\naddress = "localhost:5514"\n[StatAccumInput]\n`,
    [
      '6 config.port [a] address: UDP port 5514 is that of [in] already, in line 1 (give one of them another port)',
      '9 config.port [b] address: UDP port 5514 is that of [in] already, in line 1 (give one of them another port)',
      '15 config.port [d] address: TCP port 5514 is that of [c] already, in line 10 (give one of them another port)',
    ],
  ],
  [
    'with ports that are free',
    `${IN}[a]\ntype = "UdpInput"\naddress = "127.0.0.2:5514"\n[b]\ntype = "TcpInput"\naddress = "0.0.0.0:5514"\n[c]\ntype = "TcpInput"\naddress = "127.0.0.1:0"\n[d]\ntype = "TcpInput"\naddress = "127.0.0.1:0"\n`,
    [],
  ],
  [
    'with a port of a source that is taken',
    `${IN}[a]\ntype = "SandboxInput"\nfilename = "good.js"\n[a.source]\ntype = "UdpInput"\naddress = "[::]:5514"\n`,
    ['9 config.port [a] source.address: UDP port 5514 is that of [in] already, in line 1 (give one of them another port)'],
  ],
  [
    'with an address to send from that is not of this machine',
    `${IN}[a]\ntype = "UdpOutput"\nmessage_matcher = "TRUE"\nencoder = "text"\naddress = "127.0.0.1:1"\nlocal_address = "192.0.2.1:0"\n[b]\ntype = "UdpOutput"\nmessage_matcher = "TRUE"\nencoder = "text"\naddress = "127.0.0.1:1"\nlocal_address = "127.0.0.1:0"\n`,
    ['9 port.bad-address [a] local_address: 192.0.2.1 is not an address of this machine (use 0.0.0.0 for any)'],
  ],
  [
    'with certificates that are missing',
    `[t]\ntype = "TcpInput"\naddress = "127.0.0.1:6514"\nuse_tls = true\n[t.tls]\ncert_file = "/F/none.pem"\nkey_file = "/F/file.txt"\nclient_cafile = "/F/none.pem"\nciphers = ["NOT-A-CIPHER"]\n[h]\ntype = "HttpOutput"\nmessage_matcher = "TRUE"\naddress = "https://127.0.0.1"\nencoder = "text"\n[h.tls]\nroot_cafile = "/F/none.pem"\n`,
    [
      "6 tls.file [t] tls.cert_file: the file /F/none.pem cannot be read: ENOENT: no such file or directory, open '/F/none.pem'",
      '7 tls.file [t] tls.key_file: /F/file.txt is not a PEM file',
      "8 tls.file [t] tls.client_cafile: the file /F/none.pem cannot be read: ENOENT: no such file or directory, open '/F/none.pem'",
      '9 tls.file [t] tls.ciphers: cannot be used: error:0A0000B9:SSL routines::no cipher match',
      "16 tls.file [h] tls.root_cafile: the file /F/none.pem cannot be read: ENOENT: no such file or directory, open '/F/none.pem'",
    ],
  ],
  [
    'with certificates that are not used',
    `[t]\ntype = "TcpInput"\naddress = "127.0.0.1:6514"\n[t.tls]\ncert_file = "/F/none.pem"\nkey_file = "/F/none.pem"\n`,
    [],
  ],
  [
    'with files that cannot be written',
    `${IN}[a]\ntype = "FileOutput"\nmessage_matcher = "TRUE"\npath = "/F/modules"\n[b]\ntype = "FileOutput"\nmessage_matcher = "TRUE"\npath = "/F/file.txt/x.log"\n[c]\ntype = "FileOutput"\nmessage_matcher = "TRUE"\nrotation_interval = 1\npath = "/F/file.txt/%Y.log"\n[d]\ntype = "FileOutput"\nmessage_matcher = "TRUE"\npath = "/F/new/x.log"\n`,
    [
      '7 config.path [a] path: /F/modules is a folder: name a file in it',
      '11 config.path [b] path: /F/file.txt is a file, not a folder',
      '16 config.path [c] path: /F/file.txt is a file, not a folder',
    ],
  ],
  [
    'with line ends in headers',
    `${IN}[m]\ntype = "SmtpOutput"\nmessage_matcher = "TRUE"\nencoder = "text"\nsend_from = "a@b\\nBcc: c@d"\nsend_to = ["a@b", "x@y\\r\\nBcc: z@q"]\nsubject = "a\\nb"\n[h]\ntype = "HttpOutput"\nmessage_matcher = "TRUE"\naddress = "http://127.0.0.1"\nencoder = "text"\n[h.headers]\n"X Y" = ["a"]\nZ = ["b\\r\\nc"]\n[g]\ntype = "HttpInput"\nurl = "http://127.0.0.1"\n[g.headers]\nZ = "b\\r\\nc"\n`,
    [
      '8 config.parameter [m] send_from: must be one line without control characters',
      '9 config.parameter [m] send_to.1: must be one line without control characters',
      '10 config.parameter [m] subject: must be one line without control characters',
      '17 config.parameter [h] headers.X Y: is not a valid name of a header',
      '18 config.parameter [h] headers.Z.0: must be one line without control characters',
      '23 config.parameter [g] headers.Z: must be a text of one line with characters of Latin-1, or a list of such texts',
    ],
  ],

  ['with the script good.js', script('good.js'), []],
  ['with the script syntax.js', script('syntax.js'), ['7 script.syntax [f] filename: syntax.js:2:11: Unexpected token']],
  [
    'with the script types.ts',
    script('types.ts'),
    [
      '7 script.syntax [f] filename: types.ts:1:8: Unexpected token `=`. Expected an identifier, void, yield, null, await, break, a string literal, a numeric literal, true, false, `, -, import, this, typeof, {, [, (',
    ],
  ],
  [
    'with the script const.js',
    script('const.js'),
    [
      '7 script.process-missing [f] filename: process_message is missing: it is declared with const; declare it with function, or export it',
    ],
  ],
  [
    'with the script let.js',
    script('let.js'),
    ['7 script.process-missing [f] filename: process_message is missing: it is declared with let; declare it with function, or export it'],
  ],
  [
    'with the script text.js',
    script('text.js'),
    ['7 script.process-missing [f] filename: process_message is missing (export it, or define it at the top level)'],
  ],
  ['with the script exported.js', script('exported.js'), []],
  [
    'with the script hidden.js',
    script('hidden.js'),
    ['7 script.process-missing [f] filename: process_message is missing: it is declared but not exported; write export before it'],
  ],
  [
    'with the script empty.js',
    script('empty.js'),
    ['7 script.process-missing [f] filename: process_message is missing (export it, or define it at the top level)'],
  ],
  ['with the script throws.js', script('throws.js'), ['7 script.throws [f] filename: throws.js:2:7: Error: no luck']],
  [
    'with the script loop.js',
    script('loop.js'),
    [
      '7 limit.instructions [f] filename: exceeded instruction_limit of 1000000 at the top level, loop.js:1 (a loop that began at 1) (a loop may not end. If the work is meant to take so long, raise instruction_limit; the editor shows what each line costs)',
    ],
  ],
  [
    'with the script path.js',
    script('path.js'),
    [
      "7 script.throws [f] filename: path.js:1:1: Error: module '../modules/x.ts' not found: not a module name; write require('x'), and give the folder of it as module_directory",
    ],
  ],
  [
    'with the script none.js',
    script('none.js'),
    [
      "7 script.throws [f] filename: none.js:1:1: Error: module 'nothing' not found: no file '/P/modules/nothing.js' no file '/P/modules/nothing.mjs' no file '/P/modules/nothing.ts' no file '/P/modules/nothing.mts'",
    ],
  ],
  [
    'with the script early.js',
    script('early.js'),
    [
      '7 script.throws [f] filename: early.js:1:1: ReferenceError: write_message is not defined (write_message is for decoders and encoders only)',
    ],
  ],
  [
    'with the script uses.js',
    script('uses.js'),
    [
      "7 script.throws [f] filename: uses.js:1:1: Error: module 'lib' not found: no file '/P/modules/lib.js' no file '/P/modules/lib.mjs' no file '/P/modules/lib.ts' no file '/P/modules/lib.mts'",
    ],
  ],
  ['with the script gone.js', script('gone.js'), ['7 plugin.unreadable [f] filename: there is no script /F/gone.js']],
  [
    'with the script /etc/passwd',
    script('/etc/passwd'),
    ['7 script.syntax [f] filename: /etc/passwd is not a script: passwd:1:9: Unexpected token (give a file that ends in .js or .ts)'],
  ],
  ['with the script /F/modules', script('/F/modules'), ['7 plugin.unreadable [f] filename: there is no script /F/modules']],
  ['with a module_directory', script('uses.js', 'module_directory = "modules"\n'), []],
  [
    'with a ticker and no timer_event',
    script('good.js', 'ticker_interval = 5\n'),
    ['8 script.timer-missing [f] ticker_interval: timer_event is missing (define it, or set no ticker_interval)'],
  ],
  [
    'with a last tick and no timer_event',
    script('good.js', 'timer_event_on_shutdown = true\n'),
    ['8 script.timer-missing [f] timer_event_on_shutdown: timer_event is missing (define it, or set no timer_event_on_shutdown)'],
  ],
  ['with a ticker and timer_event', script('ticks.js', 'ticker_interval = 5\n'), []],
  [
    'with a missing script and a wrong matcher',
    script('gone.js').replace('TRUE', 'TRUE &&'),
    [
      "6 config.parameter [f] message_matcher: is not a matcher: column 8: expected a variable, TRUE, FALSE or '(', found the end (in TRUE &&)",
      '7 plugin.unreadable [f] filename: there is no script /F/gone.js',
    ],
  ],
  [
    'with a script and a plugin',
    script('good.js', 'plugin = "rate"\n'),
    ['4 config.parameter [f]: needs either plugin, the name of a bundled script, or filename, the path of your own'],
  ],
  [
    'with a script of several wrong parameters',
    script('own.js', '[f.config]\nrows = 1\nmode = "x"\nunit = "m"\n'),
    [
      '9 plugin.parameter [f] config.rows: must be 3 or more, not 1',
      '10 plugin.parameter [f] config.mode: there is no such mode',
      '11 plugin.parameter [f] config.unit: cannot do that with unit m',
    ],
  ],
  [
    'with a script that needs a parameter',
    script('needs.js', '[f.config]\nrows = 1\nx = 1\n'),
    ['9 plugin.parameter [f] config.rows: must be 3 or more, not 1'],
  ],
  [
    'with a script of the wrong kind',
    `${IN}[f]\ntype = "SandboxFilter"\nmessage_matcher = "TRUE"\nplugin = "nginx_access"\n`,
    ['7 plugin.unknown [f] plugin: there is no bundled filter "nginx_access" (it is a decoder)'],
  ],
  [
    'with a broken decoder, encoder, input and output',
    `[d]\ntype = "SandboxDecoder"\nfilename = "syntax.js"\n[e]\ntype = "SandboxEncoder"\nfilename = "empty.js"\n[i]\ntype = "SandboxInput"\nfilename = "throws.js"\n[o]\ntype = "SandboxOutput"\nfilename = "good.js"\nmessage_matcher = "TRUE"\nticker_interval = 1\n`,
    [
      '3 script.syntax [d] filename: syntax.js:2:11: Unexpected token',
      '6 script.process-missing [e] filename: process_message is missing (export it, or define it at the top level)',
      '9 script.throws [i] filename: throws.js:2:7: Error: no luck',
      '14 script.timer-missing [o] ticker_interval: timer_event is missing (define it, or set no ticker_interval)',
    ],
  ],
  [
    'with a bundled decoder that wants parameters',
    `${IN}decoder = "nginx_access"\n`,
    [
      "4 plugin.parameter [in] decoder: nginx_access: parameter log_format is missing: The format, the whole log_format directive of the server's configuration, or combined (a section of the type SandboxDecoder sets it)",
    ],
  ],
  ['with a bundled encoder that wants nothing', `${IN}[out]\ntype = "LogOutput"\nmessage_matcher = "TRUE"\nencoder = "alert"\n`, []],

  [
    'with a log_format of another server',
    bundled('Decoder', 'nginx_access', 'log_format = "%h %Q"\n'),
    ['8 plugin.parameter [p] config.log_format: has no variable such as $remote_addr: %h %Q'],
  ],
  [
    'with a log_format without directives',
    bundled('Decoder', 'apache_access', 'log_format = "$host"\n'),
    ['8 plugin.parameter [p] config.log_format: has no directive such as %h: $host'],
  ],
  [
    'with a log_format without operators',
    bundled('Decoder', 'envoy_access', 'log_format = "x"\n'),
    ['8 plugin.parameter [p] config.log_format: has no operator such as %START_TIME%: x'],
  ],
  [
    'with a log_format of error logs without directives',
    bundled('Decoder', 'apache_error', 'log_format = "x"\n'),
    ['8 plugin.parameter [p] config.log_format: has no directive such as %M: x'],
  ],
  [
    'with an unknown property',
    bundled('Decoder', 'rsyslog', 'template = "%bogus%"\n'),
    ['8 plugin.parameter [p] config.template: unknown property bogus'],
  ],
  [
    'with a template without properties',
    bundled('Decoder', 'rsyslog', 'template = "bogus"\n'),
    ['8 plugin.parameter [p] config.template: has no property such as %msg%: bogus'],
  ],
  [
    'with several wrong parameters',
    bundled('Filter', 'http_status', 'rows = 0\nsec_per_row = 0\nanomaly_config = "junk"\nbogus = 1\n'),
    [
      '10 plugin.parameter [p] config.rows: must be a whole number from 2 on, not 0',
      '11 plugin.parameter [p] config.sec_per_row: must be a whole number from 1 on, not 0',
      '12 plugin.parameter [p] config.anomaly_config: roc, mww or mww_nonparametric expected at character 1 of: junk',
      '13 plugin.parameter [p] config.bogus: is unknown (it takes sec_per_row, rows, status_field, anomaly_config, alert_throttle, preservation_version)',
    ],
  ],
  [
    'with parameters of wrong types',
    bundled('Filter', 'http_status', 'rows = "x"\nstatus_field = 5\nalert_throttle = true\n'),
    [
      '10 plugin.parameter [p] config.rows: must be a whole number from 2 on, not "x"',
      '12 plugin.parameter [p] config.alert_throttle: must be a whole number from 0 on, not true',
    ],
  ],
  [
    'with a wrong zone, parameter and template',
    bundled('Decoder', 'rsyslog', 'template = "%bogus%"\ntz = "Nowhere"\nhostname_keep = 5\n'),
    [
      '8 plugin.parameter [p] config.template: unknown property bogus',
      '9 config.parameter [p] config.tz: must be UTC, Local or a time zone such as Europe/Berlin',
      '10 plugin.parameter [p] config.hostname_keep: must be true or false, not 5',
    ],
  ],
  [
    'with a missing and a wrong parameter',
    bundled('Decoder', 'nginx_access', 'payload_keep = "x"\ntz = "Nowhere"\n'),
    [
      "7 plugin.parameter [p] config.log_format: is missing (The format, the whole log_format directive of the server's configuration, or combined)",
      '8 plugin.parameter [p] config.payload_keep: must be true or false, not "x"',
      '9 config.parameter [p] config.tz: must be UTC, Local or a time zone such as Europe/Berlin',
    ],
  ],
  [
    'with a pattern without groups',
    bundled('Decoder', 'regex', 'pattern = "a"\n'),
    ['8 plugin.parameter [p] config.pattern: needs a named group: (?<name>…)'],
  ],
  [
    'with lists of different lengths',
    bundled('Filter', 'stat_graph', 'stats = "a b"\nstat_labels = "A"\n'),
    ['10 plugin.parameter [p] config.stats: 2 stats, but 1 stat_labels'],
  ],
];
