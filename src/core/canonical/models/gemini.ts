/**
 * What Gemini's generations accept: the catalogue's facts, as encoders read them
 * (docs/rules/providers.md#gemini-generations).
 */
import { fitEffort } from '../../models/fit-effort.ts';
import { factsOf } from '../../models/known-models.ts';
import type { ModelFacts, ModelFeature } from '../../models/schema.ts';
import type { ReasoningEffort } from '../chat.ts';

const nothing: ModelFacts = {};

function geminiFacts(model: string): ModelFacts {
  const facts = factsOf(model);
  return facts.vendor === 'gemini' ? facts : nothing;
}

const takes = (feature: ModelFeature) => (model: string) =>
  geminiFacts(model).takes?.[feature] === true;

/** Accepts plain JSON Schema for functions and for structured output. */
export const takesJsonSchema = takes('json_schema');
/** Accepts a JSON format together with tools; older models refuse the two together. */
export const formatsBesideTools = takes('json_beside_tools');
/** Long answers go on in another reply (docs/rules/providers.md#gemini-continuation). */
export const continuesAnswers = takes('continuation');
/** Knows the safety threshold `OFF`. */
export const takesSafetyOff = takes('safety_off');
/** Thinking by level instead of by token budget. */
export const thinksByLevel = (model: string): boolean =>
  geminiFacts(model).thinking?.includes('level') === true;
/**
 * Accepted in place of a call's signature that was lost (docs/rules/formats.md#foreign-signatures).
 * Models that think by level require one.
 */
export const missingSignature = 'skip_thought_signature_validator';
/** Answers with images. */
export const generatesImages = (model: string): boolean =>
  geminiFacts(model).writes?.includes('image') === true;
export const generatesSpeech = (model: string): boolean =>
  geminiFacts(model).writes?.includes('audio') === true;
/** `systemInstruction` is known. */
export const takesSystem = (model: string): boolean => geminiFacts(model).takes?.system !== false;
/** Fields of `generationConfig` that the model refuses. */
export const refusedConfig = (model: string): readonly string[] => geminiFacts(model).drops ?? [];

/** The thinking level that comes nearest to an effort; undefined: the model has none. */
export function levelFor(model: string, effort: ReasoningEffort): ReasoningEffort | undefined {
  return fitEffort(effort, geminiFacts(model).efforts ?? []);
}

export interface ThinkingBudget {
  /** Bounds in tokens. */
  readonly min: number;
  readonly max: number;
  /** Thinking can be turned off. */
  readonly off: boolean;
}

/** Undefined: the model does not think by token budget. */
export function thinkingBudget(model: string): ThinkingBudget | undefined {
  const { thinking, budget } = geminiFacts(model);
  return thinking?.includes('budget') === true ? budget : undefined;
}

/** The most output tokens a model gives; undefined where unknown. */
export function outputLimit(model: string): number | undefined {
  return geminiFacts(model).outputTokens;
}
