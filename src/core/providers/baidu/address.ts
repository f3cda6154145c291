/**
 * Addresses of the v1 interface: the model is part of the path
 * (docs/rules/providers.md#baidu-v1-addresses).
 */
import type { Call } from '../../canonical/provider.ts';

/**
 * Paths that are not just the model's name in small letters; models by their names in small
 * letters.
 */
const paths: Readonly<Record<string, string>> = {
  'ernie-4.0': 'completions_pro',
  'ernie-bot-4': 'completions_pro',
  'ernie-4.0-8k': 'completions_pro',
  'ernie-4.0-8k-preview-0518': 'completions_adv_pro',
  'ernie-bot': 'completions',
  'ernie-3.5-8k': 'completions',
  'ernie-bot-8k': 'ernie_bot_8k',
  'ernie-bot-turbo': 'eb-instant',
  'ernie-lite-8k-0922': 'eb-instant',
  'ernie-lite-8k-0308': 'ernie-lite-8k',
  'ernie-speed': 'ernie_speed',
  'ernie-speed-8k': 'ernie_speed',
  'ernie speed-appbuilder': 'ai_apaas',
  'ernie-function-8k': 'ernie-func-8k',
  'ernie-character-8k': 'ernie-char-8k',
  'ernie-character-fiction-8k': 'ernie-char-fiction-8k',
  'bloomz-7b': 'bloomz_7b1',
  'llama-2-7b-chat': 'llama_2_7b',
  'llama-2-13b-chat': 'llama_2_13b',
  'llama-2-70b-chat': 'llama_2_70b',
  'qianfan-chinese-llama-2-7b': 'qianfan_chinese_llama_2_7b',
  'qianfan-chinese-llama-2-13b': 'qianfan_chinese_llama_2_13b',
  'qianfan-chinese-llama-2-70b': 'qianfan_chinese_llama_2_70b',
  'meta-llama-3-8b': 'llama_3_8b',
  'meta-llama-3-70b': 'llama_3_70b',
  'mixtral-8x7b-instruct': 'mixtral_8x7b_instruct',
  'gemma-7b-it': 'gemma_7b_it',
  'yi-34b-chat': 'yi_34b_chat',
  'chatglm2-6b-32k': 'chatglm2_6b_32k',
  'aquilachat-7b': 'aquilachat_7b',
  'xuanyuan-70b-chat-4bit': 'xuanyuan_70b_chat',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
};

const embeddings = ['embedding', 'bge-large', 'tao-8k'];

/** Without the access token, which `authorize` adds. */
export function baiduAddress(call: Call): string {
  const model = call.model.toLowerCase();
  const kind = embeddings.some((start) => model.startsWith(start)) ? 'embeddings' : 'chat';
  const path = paths[model] ?? encodeURIComponent(model);
  return `${call.baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${path}`;
}
