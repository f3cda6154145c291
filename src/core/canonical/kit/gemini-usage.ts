/** Gemini's `usageMetadata` → the canonical {@link Usage} (docs/rules/metering.md#usage-normal-form). */
import type { Usage } from '../usage.ts';
import { countOf, listOf, recordOf, recordsOf } from './read-json.ts';
import { reported, sum, tiersOf } from './usage.ts';

function modalityTokens(details: unknown, modality: string): number | undefined {
  let total: number | undefined;
  for (const entry of listOf(details)) {
    const record = recordOf(entry);
    if (record?.modality === modality) total = (total ?? 0) + (countOf(record.tokenCount) ?? 0);
  }
  return total;
}

/** Image tokens of an output that is listed by modality: what the list leaves out counts as such. */
function drawnTokens(details: unknown, output: number | undefined): number | undefined {
  const listed = recordsOf(listOf(details));
  if (listed.length === 0) return undefined;
  const images = modalityTokens(listed, 'IMAGE');
  if (images !== undefined || output === undefined) return images;
  const known = listed.reduce((sum, { tokenCount }) => sum + (countOf(tokenCount) ?? 0), 0);
  return Math.max(0, output - known);
}

/** Undefined: no usage. Thoughts are not part of `candidatesTokenCount` and are added. */
export function usageFromGemini(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  if (usage === undefined) return undefined;
  const promptTokens = sum(countOf(usage.promptTokenCount), countOf(usage.toolUsePromptTokenCount));
  const thoughts = countOf(usage.thoughtsTokenCount);
  const candidates = countOf(usage.candidatesTokenCount);
  const total = countOf(usage.totalTokenCount);
  const rest =
    total !== undefined && promptTokens !== undefined
      ? Math.max(0, total - promptTokens)
      : undefined;
  const uncached = (modality: string) => {
    const all = modalityTokens(usage.promptTokensDetails, modality);
    const cached = modalityTokens(usage.cacheTokensDetails, modality) ?? 0;
    return all === undefined ? undefined : Math.max(0, all - cached);
  };
  return reported({
    promptTokens,
    completionTokens: candidates === undefined ? (rest ?? thoughts) : candidates + (thoughts ?? 0),
    cachedTokens: countOf(usage.cachedContentTokenCount),
    reasoningTokens: thoughts,
    promptAudioTokens: uncached('AUDIO'),
    cachedAudioTokens: modalityTokens(usage.cacheTokensDetails, 'AUDIO'),
    cachedImageTokens: modalityTokens(usage.cacheTokensDetails, 'IMAGE'),
    completionAudioTokens: modalityTokens(usage.candidatesTokensDetails, 'AUDIO'),
    promptImageTokens: uncached('IMAGE'),
    completionImageTokens: drawnTokens(usage.candidatesTokensDetails, candidates),
    // Vertex has the one, the Gemini API the other.
    tiers: tiersOf(usage.trafficType, usage.serviceTier),
    raw: [usage],
  });
}
