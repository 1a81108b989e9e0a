// ends: (flood-thrown-text-at-load\.js:\d+:\d+ Error: x+|^exceeded memory_limit of 8388608)$
// at: load
throw new Error('x'.repeat(1 << 25));
