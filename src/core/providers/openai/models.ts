/** Offered in the channel editor besides the catalogue's models: dated and older names. */
export const openAiModels = [
  ...['gpt-4o-2024-08-06', 'gpt-4o-2024-11-20', 'gpt-4o-mini-2024-07-18'],
  ...['tts-1-1106', 'tts-1-hd-1106'],
] as const;
