/** What the catalogue of models says of a model, as the square shows it. */
import { translate } from '../i18n/translate.ts';
import { bareModelName, factsOf, knownModels } from '../models/known-models.ts';
import type { Language } from '../vocabulary/languages.ts';

/** `1M`, `256K`, `200K`: in the units that the number is round in. */
export function tokenCountName(tokens: number): string {
  const unit = tokens % 1000 !== 0 && tokens % 1024 === 0 ? 1024 : 1000;
  const thousands = Math.round(tokens / unit);
  return thousands >= unit ? `${+(thousands / unit).toFixed(1)}M` : `${thousands}K`;
}

const nameOf = (tokens: number | undefined) => (tokens === undefined ? '' : tokenCountName(tokens));

export function knownFacts(model: string) {
  const facts = factsOf(bareModelName(model));
  const { inputTokens, outputTokens, reads = [], writes = [], images } = facts;
  return {
    vendor: facts.vendor ?? '',
    context: nameOf(inputTokens),
    longest_answer: nameOf(outputTokens),
    output_limit: outputTokens ?? 0,
    reads: [...reads],
    writes: [...writes],
    images:
      images === undefined
        ? null
        : { sizes: [...images.sizes], qualities: [...images.qualities], most: images.most },
  };
}

/** What its maker says of it, else how it thinks; '' where nothing is known. */
function descriptionOf(model: string, language: Language): string {
  const { row, facts } = knownModels.find(bareModelName(model));
  const said = row?.description;
  if (said !== undefined) return language === 'zh' ? (said.zh ?? said.en) : said.en;
  const efforts = facts.efforts?.filter((effort) => effort !== 'none') ?? [];
  const least = efforts[0];
  const most = efforts.at(-1);
  if (facts.thinks !== true || least === undefined || most === undefined) return '';
  return translate(language, 'model.thinks', { least, most });
}

/** What stands in the square of a model that the site itself has not described. */
export function knownDescription(model: string) {
  return {
    description: descriptionOf(model, 'zh'),
    description_en: descriptionOf(model, 'en'),
    publish_time: knownModels.find(bareModelName(model)).row?.released ?? '',
  };
}
