/** Offered in the channel editor besides the catalogue's models. */
export const minimaxModels = [
  ...['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'],
  ...[
    'speech-2.5-hd-preview',
    'speech-2.5-turbo-preview',
    'speech-02-hd',
    'speech-02-turbo',
    'speech-01-hd',
    'speech-01-turbo',
  ],
  ...['image-01', 'image-01-live', 'embo-01'],
] as const;
