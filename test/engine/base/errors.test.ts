import { connect } from 'node:net';
import { constants } from 'node:os';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { errorCode, isAway, messageOf } from '../../../engine/base/errors.ts';

it('an attempt to connect to a name of several addresses says why each of them failed', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const socket = connect({ host: 'localhost', port: 1, lookup: (_host, _options, answer) => answer(null, addresses) });
  const [error] = (await once(socket, 'error')) as [Error];
  expect(messageOf(error)).toBe('connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1');
});

it('several errors of the same words are said once', () => {
  expect(messageOf(new AggregateError([new Error('away'), new Error('away')]))).toBe('away');
  expect(messageOf(new AggregateError([new Error('away')], 'none is there'))).toBe('none is there');
});

it('an error of the system that Node has no name for is named', () => {
  const code = `Unknown system error -${constants.errno.ESTALE}`;
  const error = Object.assign(new Error(`${code}: ${code}, open '/srv/app.log'`), { code, errno: -constants.errno.ESTALE });
  expect(errorCode(error)).toBe('ESTALE');
  expect(messageOf(error)).toBe("ESTALE: stale file handle, open '/srv/app.log'");
  expect(isAway(error)).toBe(true);
  expect(isAway(new Error('away'))).toBe(false);
});
