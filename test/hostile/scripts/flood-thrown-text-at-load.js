// ends: flood-thrown-text-at-load\.js:\d+:\d+ Error: x+$
// at: load
throw new Error('x'.repeat(1 << 25));
