/**
 * Every channel type: its number, slug and name, in the order of the console. The numbers are used
 * in databases and by clients of One API and New API (docs/rules/channels.md#channel-types), so
 * none is ever changed or reused. Everything else about a vendor is declared in its folder,
 * `core/providers/<slug>`. `imported` types keep working but are not offered for new channels.
 */
export const channelTypes = [
  { type: 1, slug: 'openai', name: 'OpenAI' },
  { type: 14, slug: 'anthropic', name: 'Claude' },
  { type: 24, slug: 'gemini', name: 'Gemini' },
  { type: 43, slug: 'deepseek', name: 'DeepSeek' },
  { type: 3, slug: 'azure', name: 'Azure OpenAI' },
  { type: 33, slug: 'aws', name: 'AWS Claude' },
  { type: 41, slug: 'vertex', name: 'Vertex AI' },
  { type: 20, slug: 'openrouter', name: 'OpenRouter' },
  { type: 17, slug: 'ali', name: 'Ali Qwen' },
  { type: 25, slug: 'moonshot', name: 'Moonshot' },
  { type: 45, slug: 'volcengine', name: 'Volcano Ark / Doubao' },
  { type: 26, slug: 'zhipu-4v', name: 'Zhipu GLM-4V' },
  { type: 16, slug: 'zhipu', name: 'Zhipu ChatGLM' },
  { type: 15, slug: 'baidu', name: 'Baidu' },
  { type: 46, slug: 'baidu-v2', name: 'Baidu V2' },
  { type: 18, slug: 'xunfei', name: 'Xunfei' },
  { type: 23, slug: 'tencent', name: 'Tencent Hunyuan' },
  { type: 35, slug: 'minimax', name: 'MiniMax' },
  { type: 31, slug: 'lingyi', name: 'Lingyi' },
  { type: 40, slug: 'siliconcloud', name: 'SiliconCloud' },
  { type: 42, slug: 'mistral', name: 'Mistral' },
  { type: 34, slug: 'cohere', name: 'Cohere' },
  { type: 4, slug: 'ollama', name: 'Ollama' },
  { type: 47, slug: 'xinference', name: 'Xinference' },
  { type: 39, slug: 'cloudflare', name: 'Cloudflare' },
  { type: 38, slug: 'jina', name: 'Jina' },
  { type: 44, slug: 'moka', name: 'MokaAI M3E' },
  { type: 37, slug: 'dify', name: 'Dify' },
  { type: 22, slug: 'fastgpt', name: 'FastGPT' },
  { type: 21, slug: 'ai-proxy', name: 'AI Proxy knowledge base' },
  { type: 19, slug: '360', name: '360' },
  { type: 11, slug: 'palm', name: 'PaLM2' },
  { type: 2, slug: 'midjourney', name: 'Midjourney Proxy' },
  { type: 5, slug: 'midjourney-plus', name: 'Midjourney Proxy Plus' },
  { type: 36, slug: 'suno', name: 'Suno' },
  { type: 8, slug: 'custom', name: 'Custom' },
  { type: 27, slug: 'perplexity', name: 'Perplexity' },
  { type: 48, slug: 'xai', name: 'xAI' },
  { type: 6, slug: 'openai-max', name: 'OpenAI Max', imported: true },
  { type: 7, slug: 'ohmygpt', name: 'OhMyGPT', imported: true },
  { type: 9, slug: 'ails', name: 'AI.LS', imported: true },
  { type: 10, slug: 'ai-proxy-openai', name: 'AI Proxy', imported: true },
  { type: 12, slug: 'api2gpt', name: 'API2GPT', imported: true },
  { type: 13, slug: 'aigc2d', name: 'AIGC2D', imported: true },
] as const satisfies readonly ChannelTypeInfo[];

export interface ChannelTypeInfo {
  readonly type: number;
  readonly slug: string;
  readonly name: string;
  readonly imported?: boolean;
}

export type ChannelType = (typeof channelTypes)[number]['type'];
export type ChannelTypeSlug = (typeof channelTypes)[number]['slug'];

const byType = new Map<number, (typeof channelTypes)[number]>(
  channelTypes.map((entry) => [entry.type, entry]),
);

export function channelTypeInfo(type: number): (typeof channelTypes)[number] | undefined {
  return byType.get(type);
}

/** Finds a type by number (`14`) or slug (`anthropic`), as `--type` accepts it. */
export function findChannelType(text: string): ChannelTypeInfo | undefined {
  return channelTypes.find(
    (entry) => entry.slug === text.toLowerCase() || String(entry.type) === text,
  );
}
