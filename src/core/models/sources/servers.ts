/** What public lists call the servers that this gateway has providers for. */
const slugs: Readonly<Record<string, string>> = {
  alibaba: 'ali',
  'amazon-bedrock': 'aws',
  bedrock: 'aws',
  bedrock_converse: 'aws',
  bedrock_mantle: 'aws',
  'azure-openai': 'azure',
  'x-ai': 'xai',
  cohere_chat: 'cohere',
  dashscope: 'ali',
  google: 'gemini',
  'google-vertex': 'vertex',
  'google-vertex-anthropic': 'vertex',
  mistralai: 'mistral',
  moonshotai: 'moonshot',
  qwen: 'ali',
  'text-completion-openai': 'openai',
  'z-ai': 'zhipu',
  zai: 'zhipu',
  zhipuai: 'zhipu',
};

/** The slug of a provider, for a list's own word: `xai` of `x-ai`. */
export function serverOf(word: string): string {
  const name = word.toLowerCase();
  if (name.startsWith('vertex_ai')) return 'vertex';
  return slugs[name] ?? name;
}
