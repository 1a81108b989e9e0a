// ends: inject_message: not while the script is loading$
// at: load
inject_message({});
