import { formatCount } from '../../core/pricing/format.ts';

const cells = 24;

/**
 * `[######------------------] 25 % 25,000 / 100,000`, for `Output.progress`. `total` may be too low
 * an estimate.
 */
export function progressBar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * cells);
  const bar = '#'.repeat(filled) + '-'.repeat(cells - filled);
  return `[${bar}] ${Math.floor(share * 100)} %  ${formatCount(done)} / ${formatCount(Math.max(done, total))}`;
}
