/** Hunyuan's names as far as they were not taken down; TokenHub's are entered by the operator. */
export const tencentModels = [
  'hunyuan-lite',
  'hunyuan-standard',
  'hunyuan-standard-256K',
  'hunyuan-pro',
  'hunyuan-vision',
  'hunyuan-embedding',
] as const;
