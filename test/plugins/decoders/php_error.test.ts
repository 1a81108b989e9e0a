import { reads, WHOLE } from '../support/reads.ts';

reads('php_error', {}, [
  [
    '[05-Mar-2021 13:07:59 UTC] PHP Deprecated:  x() is old in phar:///srv/a.phar/b.php on line 7',
    {
      ...WHOLE,
      Severity: 6,
      error: 'Deprecated',
      source: 'phar:///srv/a.phar/b.php',
      source_line: 7,
      Payload: 'x() is old in phar:///srv/a.phar/b.php on line 7',
    },
  ],
  [
    '[05-Mar-2021 13:07:59 America/New_York] PHP Parse error:  syntax error',
    { Timestamp: '1614967679000000000', Severity: 3, error: 'Parse error', Payload: 'syntax error' },
  ],
  ['[05-Mar-2021 13:07:59] NOTICE: fpm is running, pid 1', { ...WHOLE, Severity: 5, Payload: 'fpm is running, pid 1' }],
  ['[05-Mar-2021 13:07:59 Mars/Olympus] x', 'refused: no date that there is'],
]);
