/** Style sheets that did not come: Vite's loader requests each of them only once. */
const failed = new Set<HTMLLinkElement>();

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
  },
  // Events of files do not bubble.
  true,
);

/** Requests them again. Rejects while one does not come. */
export async function loadStylesAgain(): Promise<void> {
  const links = [...failed];
  failed.clear();
  await Promise.all(
    links.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = document.createElement('link');
          again.rel = 'stylesheet';
          again.addEventListener('load', resolve);
          again.addEventListener('error', reject);
          again.href = link.href;
          link.replaceWith(again);
        }),
    ),
  );
}
