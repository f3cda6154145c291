/**
 * Vendors of LiteLLM (the words before the `/` of a model; docs.litellm.ai/docs/providers, 2026-11)
 * as channel types. An address stands where no type of ours has it.
 */
const openai = 1;

export interface Vendor {
  readonly type: number;
  /** Where it is, if the deployment says nothing. */
  readonly address?: string;
  /** It answers without a key. */
  readonly isKeyless?: boolean;
}

export const vendors: Readonly<Record<string, Vendor>> = {
  openai: { type: openai },
  'text-completion-openai': { type: openai },
  custom_openai: { type: openai, isKeyless: true },
  openai_like: { type: openai, isKeyless: true },
  hosted_vllm: { type: openai, isKeyless: true },
  vllm: { type: openai, isKeyless: true },
  llamafile: { type: openai, isKeyless: true },
  lm_studio: { type: openai, isKeyless: true },
  litellm_proxy: { type: openai },
  azure: { type: 3 },
  azure_text: { type: 3 },
  anthropic: { type: 14 },
  anthropic_text: { type: 14 },
  bedrock: { type: 33 },
  bedrock_converse: { type: 33 },
  vertex_ai: { type: 41 },
  vertex_ai_beta: { type: 41 },
  gemini: { type: 24 },
  deepseek: { type: 43 },
  openrouter: { type: 20 },
  mistral: { type: 42 },
  codestral: { type: 42, address: 'https://codestral.mistral.ai' },
  cohere: { type: 34 },
  cohere_chat: { type: 34 },
  ollama: { type: 4, isKeyless: true },
  ollama_chat: { type: 4, isKeyless: true },
  xai: { type: 48 },
  perplexity: { type: 27 },
  dashscope: { type: 17 },
  moonshot: { type: 25 },
  volcengine: { type: 45 },
  zai: { type: 26 },
  minimax: { type: 35 },
  jina_ai: { type: 38 },
  cloudflare: { type: 39 },
  xinference: { type: 47, isKeyless: true },
  groq: { type: openai, address: 'https://api.groq.com/openai' },
  together_ai: { type: openai, address: 'https://api.together.xyz' },
  fireworks_ai: { type: openai, address: 'https://api.fireworks.ai/inference' },
  cerebras: { type: openai, address: 'https://api.cerebras.ai' },
  sambanova: { type: openai, address: 'https://api.sambanova.ai' },
  nvidia_nim: { type: openai, address: 'https://integrate.api.nvidia.com' },
  nebius: { type: openai, address: 'https://api.studio.nebius.ai' },
  novita: { type: openai, address: 'https://api.novita.ai/v3/openai' },
  hyperbolic: { type: openai, address: 'https://api.hyperbolic.xyz' },
};

/** What stands between the vendor and the model for the sake of LiteLLM's own choices. */
const routes = /^(converse|converse_like|invoke|responses|chat|gemini)\//;
const region = /^[a-z]{2}(-[a-z]+)+-\d\//;

/** The vendor and the vendor's name of a model. `given`: `custom_llm_provider`. */
export function vendorOf(
  model: string,
  given: string | undefined,
): { readonly vendor: string; readonly model: string; readonly region?: string } {
  const slash = model.indexOf('/');
  const first = slash < 0 ? '' : model.slice(0, slash);
  const isPrefix = Object.hasOwn(vendors, first) || (first !== '' && first === given);
  const vendor = given ?? (isPrefix ? first : vendorByName(model));
  const rest = (isPrefix ? model.slice(slash + 1) : model).replace(routes, '');
  const place = vendor.startsWith('bedrock') ? region.exec(rest)?.[0] : undefined;
  return place === undefined
    ? { vendor, model: rest }
    : { vendor, model: rest.slice(place.length), region: place.slice(0, -1) };
}

/** A model without a vendor before it. One of an unknown vendor has it in its name. */
function vendorByName(model: string): string {
  if (model.includes('/')) return model.slice(0, model.indexOf('/'));
  if (/^claude/.test(model)) return 'anthropic';
  if (/^gemini/.test(model)) return 'vertex_ai';
  if (/^command/.test(model)) return 'cohere';
  return 'openai';
}
