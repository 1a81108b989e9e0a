/** Sentences that the sandbox gives as the reason when a limit is exceeded; scripts can throw the same sentences. */
export const LIMITS: readonly (readonly [limit: string, sentence: string])[] = [
  ['instruction_limit', 'exceeded instruction_limit of 5'],
  ['memory_limit', 'exceeded memory_limit of 8388608'],
  ['output_limit', 'inject_message: exceeded output_limit of 64512'],
  ['time limit', 'exceeded the time limit of 3000 ms'],
  ['clock of the isolate', 'Script execution timed out.'],
  ['max_message_loops', 'inject_message: exceeded max_message_loops of 4'],
  ['max_process_inject', 'inject_payload: exceeded max_process_inject of 1'],
  ['max_timer_inject', 'inject_message: exceeded max_timer_inject of 10'],
  ['steps for a state', 'its own code for that exceeded 100000000 steps'],
  ['matcher', 'inject_message: the message matches the own message_matcher of the filter (circular reference)'],
  ['host', 'the sandbox host ended'],
  ['crash of the host', 'the sandbox brought its host down (SIGKILL); most likely it exceeded memory_limit of 8388608'],
  ['missing function', 'timer_event is missing'],
];
