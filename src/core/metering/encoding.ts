/** Which of OpenAI's tokenizers a model uses (docs/rules/metering.md#tokenizers). */

export type Encoding = 'o200k' | 'cl100k';

/**
 * The name without the vendor before it (`openai/gpt-4o`) and without the mark of fine-tuned models
 * (`ft:…`).
 */
export function bareModelName(model: string): string {
  const name = model.toLowerCase();
  return name.slice(name.lastIndexOf('/') + 1).replace(/^ft:/, '');
}

const o200k =
  /^(chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-[5-9]|gpt-(oss|realtime|audio|image|transcribe)|o\d+($|-)|codex-|computer-use|omni-moderation)/;
const cl100k =
  /^(gpt-|chatgpt-|text-embedding-|text-moderation|davinci-|babbage-|tts-|whisper-|dall-e-)/;

/** Undefined: a model of another vendor, whose texts are estimated. */
export function encodingOf(model: string): Encoding | undefined {
  const name = bareModelName(model);
  if (o200k.test(name)) return 'o200k';
  return cl100k.test(name) ? 'cl100k' : undefined;
}
