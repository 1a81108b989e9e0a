// ends: exceeded instruction_limit
<!-- a comment of old
function process_message() {
  for (;;)
--> another one
  ;
}
