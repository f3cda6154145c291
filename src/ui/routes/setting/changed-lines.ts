/** A line of a comparison; `gap` stands for equal lines that are left out. */
export interface ChangedLine {
  readonly kind: 'removed' | 'added' | 'gap';
  readonly line: string;
}

/**
 * The lines that differ, without the equal ones before and after. Between them, equal lines are
 * recognised as long as lines were only replaced, added or removed in one place; otherwise all of
 * them are listed as replaced.
 */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  const old = before.split('\n');
  const next = after.split('\n');
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < next.length - start &&
    old.at(-1 - end) === next.at(-1 - end)
  )
    end += 1;
  const gap: readonly ChangedLine[] = [{ kind: 'gap', line: '…' }];
  return [
    ...(start > 0 ? gap : []),
    ...old.slice(start, old.length - end).map((line): ChangedLine => ({ kind: 'removed', line })),
    ...next.slice(start, next.length - end).map((line): ChangedLine => ({ kind: 'added', line })),
    ...(end > 0 ? gap : []),
  ];
}
