/** The numbers of `v1.2.3-rc.1`, and what follows them; undefined where it is no version. */
function parseVersion(
  text: string,
): { readonly numbers: readonly number[]; readonly suffix: string } | undefined {
  const found = /^v?(\d+(?:\.\d+)*)(?:-([\w.-]+))?(?:\+.*)?$/i.exec(text.trim());
  if (found === null) return undefined;
  return { numbers: (found[1] ?? '').split('.').map(Number), suffix: found[2] ?? '' };
}

/**
 * Whether a release is newer than the running version. A tag that is no version counts as newer
 * when it is another one.
 */
export function isNewerVersion(release: string, running: string): boolean {
  const there = parseVersion(release);
  const here = parseVersion(running);
  if (there === undefined || here === undefined) return release.trim() !== running.trim();
  for (let index = 0; index < Math.max(there.numbers.length, here.numbers.length); index++) {
    const difference = (there.numbers[index] ?? 0) - (here.numbers[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  // A version without a suffix follows its release candidates (Semantic Versioning 2.0.0, 11).
  if (there.suffix === '' || here.suffix === '') return there.suffix === '' && here.suffix !== '';
  return there.suffix.localeCompare(here.suffix, 'en', { numeric: true }) > 0;
}
