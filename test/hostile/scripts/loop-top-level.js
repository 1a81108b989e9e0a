// ends: exceeded instruction_limit
// at: load
while (true);
