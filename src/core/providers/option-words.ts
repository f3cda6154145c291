import { anthropicOptionWords } from './anthropic/option-words.ts';
import { geminiOptionWords } from './gemini/option-words.ts';

/** Labels and hints of the options that vendors declare. */
export const vendorOptionWords = {
  zh: { ...geminiOptionWords.zh, ...anthropicOptionWords.zh },
  en: { ...geminiOptionWords.en, ...anthropicOptionWords.en },
};
