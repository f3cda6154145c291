import type { TagSums } from '../entities/channel.ts';

/** The sums of a tag's channels that have the same groups. */
interface TagPart extends Omit<TagSums, 'responseTime' | 'groups' | 'priority' | 'weight'> {
  readonly group: string;
  /** Channels whose last test went well, and the milliseconds of these tests together. */
  readonly tested: number;
  readonly time: number;
  readonly leastPriority: number;
  readonly mostPriority: number;
  readonly leastWeight: number;
  readonly mostWeight: number;
}

/** The one value that all have, or null. */
function common(least: readonly number[], most: readonly number[]): number | null {
  const [value] = least;
  return value === undefined || [...least, ...most].some((other) => other !== value) ? null : value;
}

/** The sums of each tag, in the order of `tags`; those without a row are left out. */
export function tagSumsOf(tags: readonly string[], parts: readonly TagPart[]): readonly TagSums[] {
  const byTag = Map.groupBy(parts, ({ tag }) => tag);
  return tags.flatMap((tag) => {
    const own = byTag.get(tag);
    if (own === undefined) return [];
    const sum = (read: (part: TagPart) => number) =>
      own.reduce((total, part) => total + read(part), 0);
    const tested = sum((part) => part.tested);
    const groups = own.flatMap(({ group }) => group.split(',')).filter((name) => name !== '');
    return [
      {
        tag,
        channels: sum((part) => part.channels),
        enabled: sum((part) => part.enabled),
        disabled: sum((part) => part.disabled),
        autoDisabled: sum((part) => part.autoDisabled),
        failed: sum((part) => part.failed),
        usedQuota: sum((part) => part.usedQuota),
        responseTime: tested === 0 ? 0 : Math.round(sum((part) => part.time) / tested),
        groups: [...new Set(groups)].sort(),
        priority: common(
          own.map((part) => part.leastPriority),
          own.map((part) => part.mostPriority),
        ),
        weight: common(
          own.map((part) => part.leastWeight),
          own.map((part) => part.mostWeight),
        ),
      },
    ];
  });
}
