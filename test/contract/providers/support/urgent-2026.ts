/**
 * Where a plain request failed or was billed wrongly in 2026: the sections of the survey of vendors'
 * wires, each with the changes that mend it (rows-2026.test.ts), whose tests show it.
 */
export const urgent: Readonly<Record<string, readonly string[]>> = {
  '0.1 and 1.1: function tools of GPT-5.6 and GPT-6 by chat completions': [
    'function tools of GPT-5.6 and GPT-6 need Responses, those of 5.4 and 5.5 with an effort',
    'a chat by Responses has a key for the cache',
  ],
  '0.2 and 9: models, limits and prices of the year; names that are switched off': [
    'models and prices up to 5.5',
    'models and prices up to Gemini 4',
    'models and prices of xAI, DeepSeek, Qwen, Kimi, GLM, Mistral and MiniMax',
    'models that are switched off are not offered',
    'a model that nobody has described',
    'a name that nobody has seen has the rules of its family',
  ],
  '0.3 and 1.4: cache writes of OpenAI, of both lives': [
    'cache writes cost 1.25 × and 2.5 × since GPT-5.6',
    'a model before GPT-5.6 that reports cache writes pays nothing more for them',
  ],
  '0.4 and 2.4: iterations of other models': ['`iterations` cost what their models cost'],
  '0.5 and 3.2: CONTINUATION': ['answers that end with CONTINUATION go on'],
  '0.6 and 3.3: levels of thinking of Gemini 4': ['levels of thinking'],
  '0.7, 4 and 6.1: costs that xAI and OpenRouter state': ['stated costs'],
  '0.8 and 4: efforts of Grok': ['Grok since 4.3 takes an effort'],
  '0.9 and 5.1: DeepSeek V4': ['DeepSeek V4: thinking back on each turn, efforts, models'],
  '0.10 and 5.2: explicit caches of Qwen': ['writes to explicit caches of Qwen'],
  '0.11, 1.5 and 3.4: tiers that the reply says': [
    'the tier of the reply is billed',
    'the fast mode is billed',
    'the place is billed',
    'cached audio, traffic types, grounding',
  ],
  '0.12 and 2.2: prefill, forced tools and sampling of Claude': [
    'no prefill since 4.6, no forced tools since 5.5',
    'no sampling fields since 4.7, for callers of messages, too',
  ],
  '1.2: efforts and limits of OpenAI': [
    'efforts: no `minimal` since 5.6, no `none` for astra and 6.1-sol, `max`',
    'output limits of GPT-6 and Gemini 4',
  ],
  '1.4: long prompts of OpenAI': ['above 272,000 tokens all costs more'],
  '1.4: hosted tools that the reply counts, containers': [
    'tools that the vendor counts, and containers',
  ],
  '2.1: prices of Claude': ['models and prices up to 5.5'],
  '2.3: thinking that cannot be switched off': ['thinking that cannot be switched off'],
  '2.3: speed': ['the fast mode is billed'],
  '2.3: place of inference': ['the place is billed'],
  '2.3: `billing_policy`': ['`billing_policy` never reaches a shared account'],
  '2.4: errors of an account': ['errors of an account'],
  '3.1: models and limits of Gemini': [
    'models and prices up to Gemini 4',
    'output limits of GPT-6 and Gemini 4',
  ],
  '3.3: penalties of Gemini 2.5': ['penalties'],
  '3.4: usage of Gemini': ['cached audio, traffic types, grounding'],
  '4: models of xAI, long prompts, the suffix -search': [
    'models and prices of xAI, DeepSeek, Qwen, Kimi, GLM, Mistral and MiniMax',
    'long prompts of Gemini, Grok and Qwen cost more',
    'the search is a tool of Responses',
  ],
  '8: facts of replies, for each attempt': ['what is learned from replies'],
};
