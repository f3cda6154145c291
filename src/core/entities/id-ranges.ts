import type { Language } from '../vocabulary/languages.ts';

/** Runs that are shown before the rest is counted, and from how many ids on a run is one. */
const mostRuns = 3;
const leastRun = 3;

/** `8,9,10,11,20` → `8 to 11, 20`; of many runs the rest is counted: `1, 3, 5 and 4 more`. */
export function idRanges(ids: readonly string[], language: Language): string {
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run !== undefined && Number(run.at(-1)) + 1 === Number(id)) run.push(id);
    else runs.push([id]);
  }
  const pieces = runs.flatMap((run) => (run.length < leastRun ? run.map((id) => [id]) : [run]));
  // One id is no shorter as a number.
  const isLong = pieces.slice(mostRuns).flat().length > 1;
  const shown = isLong ? pieces.slice(0, mostRuns) : pieces;
  const rest = ids.length - shown.flat().length;
  const zh = language === 'zh';
  const text = shown
    .map((run) => (run.length === 1 ? run[0] : [run[0], run.at(-1)].join(zh ? ' 至 ' : ' to ')))
    .join(zh ? '、' : ', ');
  if (rest === 0) return text;
  return zh ? `${text} 等 ${ids.length} 个` : `${text} and ${rest} more`;
}
