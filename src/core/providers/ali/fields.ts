import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

export const aliFields = {
  other: {
    label: { zh: '插件', en: 'Plugin' },
    hint: {
      zh: 'X-DashScope-Plugin 的值，可留空',
      en: 'Value of X-DashScope-Plugin, may be empty',
    },
  },
  settings: {
    use_native: {
      label: { zh: '用 DashScope 原生接口', en: "DashScope's own interface" },
      hint: { zh: '用于对话和向量', en: 'For chats and embeddings' },
    },
    sync_image_models: {
      label: { zh: '同步生成图像的模型', en: 'Models that draw without a task' },
      hint: {
        zh: '模型名片段，用逗号分隔；留空用内置列表',
        en: 'Parts of model names, separated by commas; empty means the built-in list',
      },
    },
  },
} satisfies VendorFields;
