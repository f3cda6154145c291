/** Offered in the channel editor. */
export const minimaxModels = [
  ...[
    'MiniMax-M3',
    'MiniMax-M2.7',
    'MiniMax-M2.7-highspeed',
    'MiniMax-M2.5',
    'MiniMax-M2.5-highspeed',
  ],
  ...['MiniMax-M2.1', 'MiniMax-M2.1-highspeed', 'MiniMax-M2'],
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
