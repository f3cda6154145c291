import type { VendorFields } from '../../vocabulary/vendor-fields.ts';

/** Fields of `setting` that every vendor of OpenAI's wires knows. */
export const openAiSettingFields = {
  thinking_to_content: {
    label: { zh: '思考并入正文', en: 'Thinking into text' },
    hint: {
      zh: '放在 <think> 标记里，给不认识思考字段的客户端',
      en: 'Between <think> marks, for clients that know no thinking',
    },
  },
  force_format: {
    label: { zh: '强制规范格式', en: 'Force the format' },
    hint: { zh: '只用已知字段重建回复', en: 'Rebuild replies from the known fields' },
  },
  use_responses: {
    label: { zh: '用 Responses 接口', en: 'Use the Responses API' },
    hint: { zh: '默认由模型决定', en: 'By default the model decides' },
    threeWay: true,
  },
} satisfies VendorFields['settings'];
