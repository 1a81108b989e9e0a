// ends: ^process_message is missing$
export let process_message = () => {
  process_message = 5;
  return 0;
};
