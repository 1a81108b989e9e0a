/** Headers that messages can be without, in the order in which encoders write them. */
export const HEADERS: readonly string[] = ['Type', 'Logger', 'Severity', 'Payload', 'EnvVersion', 'Pid', 'Hostname'];

/** Those of them that are numbers. */
export const NUMBER_HEADERS: readonly string[] = ['Severity', 'Pid'];
