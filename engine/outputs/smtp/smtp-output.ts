import { z } from 'zod';
import { parseAddress } from '../../inputs/net/address.ts';
import { matching, receiver } from '../../section/receiver.ts';
import { restart } from '../../section/restart.ts';
import { address, oneLine, seconds, text } from '../../section/values.ts';
import { outputType } from '../output-type.ts';
import { exit, framing, neededEncoder } from '../parameters.ts';
import { MailWriter } from './mail-writer.ts';

/** The type `SmtpOutput` of sections. */
export const smtpOutput = outputType({
  type: 'SmtpOutput',
  summary: 'Sends messages as mails.',
  example:
    '[alert_mails]\ntype = "SmtpOutput"\nsend_to = ["ops@example.org"]\nsend_interval = 60\nencoder = "alert"\nmessage_matcher = "Type == \'svc.sandbox-output\' && Fields[payload_type] == \'alert\'"',
  parameters: () => ({
    ...matching,
    send_from: oneLine.min(1).default('svc@localhost.localdomain').describe('Sender of the mails.'),
    send_to: z.array(oneLine.min(1)).min(1).meta({ shown: 'list of addresses' }).describe('Receivers of the mails.'),
    subject: oneLine.optional().describe('Default: `Svc [NAME]`, with the name of this section.'),
    host: address
      .default('127.0.0.1:25')
      .describe('Mail server. The connection is encrypted when the server offers STARTTLS and is another machine.'),
    auth: z.enum(['none', 'Plain', 'CRAMMD5']).default('none').describe('How to log in.'),
    user: text.default('').describe('Name to log in by.'),
    password: text.default('').describe('Password of the login.'),
    send_interval: seconds
      .default(0)
      .describe(
        'Least time between two mails; what comes meanwhile goes into one, which is lost if it cannot be sent. 0: each message is a mail, which is ' +
          'tried again if it cannot be sent.',
      ),
    encoder: neededEncoder,
    ...framing,
    ...receiver,
    ...restart,
    ...exit,
  }),
  make: (config, { onProblem }) => {
    const { name, send_from: from, send_to: to, subject = `Svc [${name}]`, auth, user, password, retries } = config;
    const server = { ...parseAddress(config.host), auth, user, password };
    return new MailWriter({ server, from, to, subject, sendInterval: config.send_interval * 1000, retries, onProblem });
  },
});
