/** Offered in the channel editor. */
export const chatGlmModels = [
  'chatglm_turbo',
  'chatglm_pro',
  'chatglm_std',
  'chatglm_lite',
] as const;

export const glmModels = [
  ...['glm-4.6v', 'glm-4-plus', 'glm-4-0520', 'glm-4-air', 'glm-4-airx'],
  ...[
    'glm-4-long',
    'glm-4-flash',
    'glm-4',
    'glm-4v',
    'glm-4v-plus',
    'glm-4-alltools',
    'glm-3-turbo',
  ],
  ...['embedding-3', 'embedding-2', 'cogview-4', 'cogview-3-flash'],
] as const;
