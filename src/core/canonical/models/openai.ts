/**
 * What models that speak OpenAI's wire accept: the catalogue's facts, as encoders read them
 * (docs/rules/models.md).
 */
import type { JsonValue } from '../../kernel/json.ts';
import { fitEffort } from '../../models/fit-effort.ts';
import { factsOf } from '../../models/known-models.ts';
import type { ModelFacts } from '../../models/schema.ts';
import { readEffort } from '../kit/reasoning.ts';

/** The most characters that OpenAI takes in `user`. */
export const maxUserLength = 64;

const nothing: ModelFacts = {};

/** What is known of one of OpenAI's own models; of those of other makers nothing. */
export function openAiFacts(model: string): ModelFacts {
  const facts = factsOf(model);
  return facts.vendor === 'openai' ? facts : nothing;
}

/**
 * An effort as it is sent to a model: the nearest that it takes; undefined where it refuses the
 * field. What is no effort, and what goes to a model of which nothing is known, stays.
 */
export function effortFor(model: string, wanted: JsonValue | undefined): JsonValue | undefined {
  const effort = readEffort(wanted);
  const { efforts } = factsOf(model);
  return effort === undefined || efforts === undefined ? wanted : fitEffort(effort, efforts);
}

/**
 * Fields that models refuse with status 400, beyond those that the edits remove, and that callers
 * of other formats cannot know of.
 */
export function refusedFields(model: string): readonly string[] {
  return openAiFacts(model).dropsTranslated ?? [];
}

/** The most output tokens of a model of any vendor; undefined where unknown. */
export function outputLimit(model: string): number | undefined {
  return factsOf(model).outputTokens;
}
