/** What a name of a model at xAI may have at its end: an effort, and a search (docs/rules/providers.md#xai). */
import { factsOf } from '../../models/known-models.ts';

const searchSuffix = '-search';
const effortSuffix = /-(xhigh|high|medium|low)$/;

export interface GrokName {
  readonly model: string;
  readonly effort?: string;
  /** It looks into the web. */
  readonly searches: boolean;
}

export function isSearching(name: string): boolean {
  return name.endsWith(searchSuffix);
}

/** An effort at the end is one where the rest of the name is a model that takes one. */
export function readGrokName(name: string): GrokName {
  const searches = isSearching(name);
  const model = searches ? name.slice(0, -searchSuffix.length) : name;
  const match = effortSuffix.exec(model);
  if (match === null) return { model, searches };
  const bare = model.slice(0, match.index);
  const { efforts = [] } = factsOf(bare);
  return efforts.length > 0 ? { model: bare, effort: match[1], searches } : { model, searches };
}
