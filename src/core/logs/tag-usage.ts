/** Usage by tag and time, out of hourly sums (docs/rules/tags.md#sums). */
import type { FileOutput } from '../contract/endpoint.ts';
import { byteOrderMark, csvLine } from '../kernel/csv.ts';
import type { Spans, Storage } from '../storage/storage.ts';
import type { Granularity } from './time-spans.ts';
import {
  byModel,
  type ModelUsage,
  type SummaryRange,
  type Totals,
  total,
  type UsageOf,
} from './usage-spans.ts';

/** Tags that a reply lists; a file has all. */
const mostTags = 100;

export interface TagSummary {
  readonly by: Granularity;
  readonly starts: readonly number[];
  /** The largest quota first. */
  readonly tags: readonly (Omit<ModelUsage, 'modelName'> & { readonly tag: string })[];
  readonly more: number;
  readonly totals: Totals;
}

/** Each throws AppError range_too_long, invalid_parameter. `begins`: only tags that begin so. */
export interface TagUsageService {
  tags(range: SummaryRange, of: UsageOf, begins?: string): Promise<TagSummary>;
  /** One line per tag and span with a request, oldest span first. */
  tagFile(
    range: SummaryRange,
    of: UsageOf,
    options: { readonly begins?: string; readonly bom: boolean },
  ): Promise<FileOutput>;
}

export interface TagUsageDeps {
  readonly storage: Pick<Storage, 'quotaData'>;
  readonly spansOf: (range: SummaryRange) => Spans & { readonly by: Granularity };
  readonly resolve: (of: UsageOf) => Promise<UsageOf>;
}

/** Rows of nobody: sums by tag have no names, so those of a name that no user has are unknown. */
const nobody = 0;

export function createTagUsage({ storage, spansOf, resolve }: TagUsageDeps): TagUsageService {
  const { quotaData } = storage;
  const read = async (range: SummaryRange, of: UsageOf, begins: string) => {
    const spans = spansOf(range);
    const whose = await resolve(of);
    const userId = whose.userId ?? (whose.username ? nobody : undefined);
    const rows = await quotaData.listTagSpans(spans, userId);
    const named = rows.filter(({ tag }) => tag.startsWith(begins));
    return { spans, whose, rows: named };
  };
  return {
    tags: async (range, of, begins = '') => {
      const { spans, whose, rows } = await read(range, of, begins);
      const tags = byModel(
        rows.map(({ tag, ...sums }) => ({ modelName: tag, ...sums })),
        spans.starts,
      );
      return {
        by: spans.by,
        starts: spans.starts,
        tags: tags
          .slice(0, mostTags)
          .map(({ modelName, ...sums }) => ({ tag: modelName, ...sums })),
        more: Math.max(0, tags.length - mostTags),
        totals: total(await quotaData.listSpans(spans, whose)),
      };
    },
    tagFile: async (range, of, { begins = '', bom }) => {
      const { spans, rows } = await read(range, of, begins);
      const dateIn = new Intl.DateTimeFormat('sv-SE', { timeZone: range.zone });
      const lines = rows
        .toSorted((a, b) => a.start - b.start || b.quota - a.quota || (a.tag < b.tag ? -1 : 1))
        .map(({ start, tag, count, tokenUsed, quota }) => {
          const at = new Date(start * 1000);
          return csvLine([dateIn.format(at), at.toISOString(), tag, count, tokenUsed, quota]);
        });
      const head = csvLine(['date', 'start', 'tag', 'requests', 'tokens', 'quota']);
      async function* chunks() {
        yield (bom ? byteOrderMark : '') + head + lines.join('');
      }
      return {
        name: `usage-by-tag-and-${spans.by}.csv`,
        type: 'text/csv; charset=utf-8',
        total: lines.length,
        chunks: chunks(),
      };
    },
  };
}
