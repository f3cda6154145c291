/**
 * What Gemini's generations accept, read from the model's name
 * (docs/rules/providers.md#gemini-generations).
 */

/**
 * 1.5, 2, 2.5, 3, …; `gemini-flash-latest` and the like count as the newest, other families (gemma,
 * …) as 0.
 */
export function geminiGeneration(model: string): number {
  if (!model.startsWith('gemini-')) return 0;
  const match = /^gemini-(\d+(?:\.\d+)?)/.exec(model);
  if (match !== null) return Number(match[1]);
  return model.startsWith('gemini-exp') ? 2 : Number.POSITIVE_INFINITY;
}

/** Accepts plain JSON Schema for functions and for structured output. */
export const takesJsonSchema = (model: string): boolean => geminiGeneration(model) >= 2.5;
/** Accepts a JSON format together with tools; older models refuse the two together. */
export const formatsBesideTools = (model: string): boolean => geminiGeneration(model) >= 3;
/** Thinking by level instead of by token budget. */
export const thinksByLevel = (model: string): boolean => geminiGeneration(model) >= 3;
/**
 * Accepted in place of a call's signature that was lost (docs/rules/formats.md#foreign-signatures).
 * Models that think by level require one.
 */
export const missingSignature = 'skip_thought_signature_validator';
/** Thinking by token budget. */
export const thinksByBudget = (model: string): boolean => geminiGeneration(model) === 2.5;
/** Answers with images. */
export const generatesImages = (model: string): boolean =>
  model.startsWith('gemini-') && model.includes('image');
export const generatesSpeech = (model: string): boolean => model.includes('-tts');
/** `systemInstruction` is known. */
export const takesSystem = (model: string): boolean => !model.startsWith('gemma');

/** Bounds of the thinking budget, in tokens. */
export function budgetBounds(model: string): { readonly min: number; readonly max: number } {
  if (model.includes('-pro')) return { min: 128, max: 32_768 };
  return { min: model.includes('flash-lite') ? 512 : 0, max: 24_576 };
}

/** The most output tokens a model gives; undefined where unknown. */
export function outputLimit(model: string): number | undefined {
  const generation = geminiGeneration(model);
  if (generation === 0) return undefined;
  if (generation < 2.5) return 8192;
  return generatesImages(model) ? 32_768 : 65_536;
}
