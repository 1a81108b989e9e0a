// ends: async functions are not available
// at: load
const f = async () => 1;
