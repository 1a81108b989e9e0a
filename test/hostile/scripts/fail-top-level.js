// ends: boom
// at: load
throw new Error('boom');
