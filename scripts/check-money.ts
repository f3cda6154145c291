/**
 * Finds sums, prices and balances that are made texts outside of core/pricing/format.ts, which alone
 * knows how many places they need: what is not 0 is never shown as 0 (docs/rules/console.md#money).
 * Run by `npm run check`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const homes = new Set(['src/core/pricing/format.ts', 'src/core/pricing/format-sums.ts']);
/** Files that round numbers of money without showing them, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'src/core/price-sync/price-changes.ts': 'compares factors of two lists',
};

const rounds = /\.to(?:Fixed|Precision)\(|NumberFormat|FractionDigits|\.toLocaleString\('en/;
const ofMoney =
  /money|price|cost|amount|balance|paid|refund|quota|charge|spent|currency|(?<!du)ratio|'[$¥]|[$¥]\$\{/i;
/** A line about something else, in a file about money. */
const ofElse = /days|seconds|share|percent|%|time|count/i;
const file = /money|price|pricing|cost|balance|top-?up|refund|statement|loss|wallet|budget|payment/;

/** The lines of a source file that round money themselves. */
export function roundedMoney(path: string, source: string): readonly number[] {
  if (homes.has(path)) return [];
  return source.split('\n').flatMap((line, index) => {
    const code = line.replace(/^\s*(?:\*|\/\*).*|(?<!:)\/\/.*/, '');
    if (!rounds.test(code) || ofElse.test(code)) return [];
    return ofMoney.test(code) || file.test(path) ? [index + 1] : [];
  });
}

function check(): readonly string[] {
  const used = new Set<string>();
  const problems = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => {
      const lines = roundedMoney(path, readFileSync(path, 'utf8'));
      if (exceptions[path] === undefined)
        return lines.map(
          (line) => `${path}:${line}: money is written by src/core/pricing/format.ts`,
        );
      if (lines.length > 0) used.add(path);
      return [];
    });
  const unused = Object.keys(exceptions).filter((path) => !used.has(path));
  return [...problems, ...unused.map((path) => `${path} rounds no money: the exception can go`)];
}

if (import.meta.main) {
  const problems = check();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
