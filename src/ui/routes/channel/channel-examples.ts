const json = (value: unknown) => JSON.stringify(value, null, 2);
/** What the JSON fields of the channel form show while they are empty. */
export const examples = {
  mapping: json({ 'gpt-4o': 'gpt-4o-2024-11-20' }),
  statusCodes: json({ '403': '503' }),
  cost: json({
    ratio: 0.3,
    base: 'list',
    rate: 7.3,
    models: { 'deepseek-chat': { input: 2, output: 3 } },
  }),
  paramOverride: json({
    operations: [
      { mode: 'set', path: 'temperature', value: 0.7, keep_origin: true },
      { mode: 'delete', path: 'user' },
    ],
  }),
};
